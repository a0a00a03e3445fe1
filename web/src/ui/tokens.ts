// What every element is made of: how texts, buttons, fields and boxes look.
//
// What can be pressed is 44 px high at least. Colours and sizes are in `palette`. Imports lit alone.

import { css } from "lit";

export { tokens } from "./palette.ts";

/** What every shadow root begins with. */
export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  :host {
    display: block;
    min-width: 0;
    overflow-wrap: anywhere;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  figure,
  fieldset {
    margin: 0;
    padding: 0;
  }

  ul,
  ol {
    list-style: none;
  }

  fieldset {
    border: 0;
    min-width: 0;
  }

  h1 {
    font-size: var(--size-xl);
    line-height: 1.25;
  }

  h2 {
    font-size: var(--size-l);
    line-height: 1.3;
  }

  h3 {
    font-size: var(--size);
  }

  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }

  code,
  kbd,
  pre {
    font-family: var(--mono);
    font-size: 0.92em;
  }

  kbd {
    display: inline-block;
    min-width: 1.6em;
    padding: 0 0.35em;
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    background: var(--sunken);
    text-align: center;
    white-space: nowrap;
  }

  .soft {
    color: var(--text-soft);
  }

  .small {
    font-size: var(--size-s);
  }

  .loud {
    color: var(--danger);
    font-weight: 600;
  }

  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }

  @media (prefers-reduced-motion: no-preference) {
    button,
    .moves {
      transition:
        background-color 0.12s,
        border-color 0.12s;
    }
  }
`;

/** Buttons: plain, `primary` (at most one in sight), `danger`, `quiet`; with `wide` as wide as they may be. */
export const buttons = css`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-height: var(--touch);
    min-width: var(--touch);
    padding: 0.4em 1em;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-weight: 600;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
    overflow-wrap: anywhere;
    cursor: pointer;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
  }

  button:hover,
  .button:hover {
    background: var(--sunken);
  }

  button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }

  button.primary:hover {
    border-color: var(--accent-hover);
    background: var(--accent-hover);
  }

  button.danger {
    border-color: var(--danger);
    color: var(--danger);
  }

  button.danger:hover {
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }

  button.danger.sure {
    background: var(--danger);
    color: var(--on-danger);
  }

  button.quiet {
    border-color: transparent;
    background: transparent;
    color: var(--text-soft);
  }

  button.quiet:hover {
    background: var(--sunken);
    color: var(--text);
  }

  button.wide {
    flex: 1 1 8rem;
  }

  button:disabled,
  button[aria-disabled="true"] {
    border-color: var(--line);
    background: var(--sunken);
    color: var(--text-soft);
    cursor: not-allowed;
  }

  button.quiet:disabled,
  button.quiet[aria-disabled="true"] {
    border-color: transparent;
    background: transparent;
    opacity: 0.6;
  }
`;

/** What is typed into, and what is chosen from. */
export const fields = css`
  input[type="text"],
  input[type="number"],
  input[type="search"],
  input:not([type]),
  select,
  textarea {
    width: 100%;
    min-height: var(--touch);
    padding: 0.5em 0.75em;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-s);
    background: var(--surface);
    color: var(--text);
    font: inherit;
    /* Below 16 px a phone zooms in on whoever types. */
    font-size: max(1rem, var(--size));
  }

  textarea {
    min-height: 5.5rem;
    resize: vertical;
  }

  input:disabled,
  select:disabled,
  textarea:disabled {
    background: var(--sunken);
    color: var(--text-soft);
  }

  input[type="radio"],
  input[type="checkbox"] {
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    flex: none;
    accent-color: var(--accent);
  }

  label {
    display: block;
  }
`;

/** A box that stands by itself. */
export const panels = css`
  .panel {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    padding: var(--gap-l);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--gap);
  }

  .stack {
    display: flex;
    flex-direction: column;
    gap: var(--gap);
  }

  .badge {
    display: inline-flex;
    align-items: center;
    padding: 0.1em 0.55em;
    border-radius: 1em;
    background: var(--sunken);
    color: var(--text-soft);
    font-size: var(--size-s);
    font-weight: 600;
    line-height: 1.5;
    white-space: nowrap;
  }

  .badge.live {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .badge.alarm {
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }
`;
