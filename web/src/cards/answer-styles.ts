// How answers look: what is chosen, typed and pressed, and a card on a phone. Imports lit; the properties
// are those of `ui/tokens`.

import { css } from "lit";

export const answerStyles = css`
  legend {
    margin-bottom: 0.3rem;
    padding: 0;
  }

  .choices {
    display: flex;
    flex-direction: column;
  }

  .choice {
    border: 1px solid transparent;
    border-radius: var(--radius-s);
  }

  .choice.on {
    border-color: var(--accent);
    background: var(--accent-soft);
  }

  .choice > label {
    display: flex;
    align-items: flex-start;
    gap: 0.65rem;
    min-height: var(--touch);
    padding: 0.6rem;
    cursor: pointer;
  }

  .choice .words {
    flex: 1;
    min-width: 0;
  }

  .description {
    display: block;
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .preview {
    padding: 0 0.6rem 0.6rem 2.5rem;
  }

  .own,
  .field {
    display: flex;
    flex-direction: column;
    gap: 0.25rem;
  }

  .form {
    display: flex;
    flex-direction: column;
    gap: var(--gap-l);
  }

  textarea.mono {
    font-family: var(--mono);
    font-size: 0.875rem;
  }

  .review dt {
    flex: 1 1 12rem;
    color: var(--text-soft);
  }

  .review dd {
    display: flex;
    flex: 2 1 12rem;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap);
    font-weight: 600;
  }

  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }

  .apart {
    flex: 1;
  }

  .hint {
    font-size: 0.75rem;
    font-weight: 500;
    line-height: 1.4;
  }

  .primary .hint,
  .sure .hint {
    border-color: currentColor;
    background: transparent;
    color: inherit;
  }

  button.settling[aria-disabled="true"] {
    border-color: var(--line-strong);
    background: var(--surface);
    color: var(--text);
    cursor: default;
  }

  button.primary.settling[aria-disabled="true"] {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }

  button.danger.settling[aria-disabled="true"] {
    border-color: var(--danger);
    color: var(--danger);
  }

  button.danger.sure.settling[aria-disabled="true"] {
    background: var(--danger);
    color: var(--on-danger);
  }

  button.quiet.settling[aria-disabled="true"] {
    border-color: transparent;
    background: transparent;
    color: var(--text-soft);
  }

  .lock,
  .second {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-s);
    background: var(--mark);
    color: var(--on-mark);
  }

  /* Beside the button that it locks, wherever that is. */
  .lock {
    display: flex;
    flex: 1 0 100%;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap-s);
    padding: 0.1rem 0.25rem 0.1rem 0.75rem;
  }

  .lock button {
    flex: none;
    color: inherit;
    text-decoration: underline;
  }

  .second {
    background: var(--sunken);
    color: var(--text);
  }

  .unsafe .second,
  .second.unsafe {
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }

  article.unsafe {
    border-color: var(--danger);
  }

  .second .code {
    margin-top: 0.4rem;
    color: var(--text);
  }

  .second.unsafe .loud {
    color: inherit;
  }

  .unseen {
    display: flex;
    gap: 0.65rem;
    align-items: flex-start;
    min-height: var(--touch);
    padding: 0.5rem 0;
  }

  .problem {
    color: var(--danger);
    font-weight: 600;
  }

  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0 var(--gap);
  }

  .foot p {
    flex: 1 1 16rem;
  }

  .foot button {
    margin-inline: -0.75rem;
    padding-inline: 0.75rem;
    font-weight: 500;
  }

  /* How it ended comes before what it was. */
  .was {
    order: 1;
    padding-bottom: 0.4rem;
  }

  .standing p + p {
    margin-top: 0.2rem;
  }

  .standing:not(:has(p)) {
    display: none;
  }

  .standing:has(.loud) {
    padding: 0.6rem 0.75rem;
    border-inline-start: 4px solid var(--danger);
    border-radius: var(--radius-s);
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }

  .standing .loud {
    color: inherit;
  }

  #add-note {
    align-self: flex-start;
    margin-inline: -0.75rem;
    padding-inline: 0.75rem;
  }

  .was > summary {
    min-height: 1.75rem;
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  @media (hover: none) {
    .hint,
    .hint-words {
      display: none;
    }
  }

  @media (max-width: 40rem) {
    article {
      --inset: var(--gap);
      padding-bottom: var(--gap-s);
      border-radius: var(--radius-s);
    }

    /* The answers stay at the thumb, however long the card is; what is chosen from scrolls by. */
    .actions {
      display: contents;
    }

    .actions > .buttons {
      position: sticky;
      bottom: 0;
      z-index: 1;
      margin-inline: calc(-1 * var(--inset) + 2px);
      padding: 0.6rem var(--inset) calc(0.6rem + var(--safe-bottom));
      border-top: 1px solid var(--line);
      background: var(--surface);
    }

    /* What gets the focus must not come to lie below them. */
    :is(input, textarea, select, summary, a, button) {
      scroll-margin-bottom: 6rem;
    }

    .pair .label {
      flex-basis: 100%;
    }

    .buttons > button {
      flex: 1 1 auto;
    }

    .code {
      font-size: 0.75rem;
    }

    .line {
      padding: 0 0.4rem;
    }

    .number {
      min-width: 2.2em;
      padding-right: 0.6em;
    }

    .hint {
      display: none;
    }
  }
`;
