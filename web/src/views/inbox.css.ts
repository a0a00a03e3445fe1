// How the inbox is laid out: list and card side by side, or one after the other. Imports lit.

import { css } from "lit";

export const inboxStyles = css`
  .alone {
    max-width: var(--measure);
    margin: 0 auto;
    padding: var(--gap) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
  }

  .beside {
    display: grid;
    grid-template-columns: minmax(17rem, 23rem) minmax(0, 1fr);
    align-items: start;
    max-width: 84rem;
    margin: 0 auto;
  }

  .beside .list {
    position: sticky;
    top: var(--header, 3.5rem);
    max-height: calc(100dvh - var(--header, 3.5rem));
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: var(--gap-l) var(--gap) var(--gap-l) var(--gap-l);
    scrollbar-width: thin;
  }

  .beside .detail {
    min-height: calc(100dvh - var(--header, 3.5rem));
    padding: var(--gap-l) var(--gap-l) var(--gap-l) var(--gap);
  }

  .beside .detail > * {
    max-width: 56rem;
  }

  .detail {
    min-width: 0;
  }

  .detail:focus {
    outline: none;
  }

  .bar {
    display: flex;
    align-items: center;
    gap: var(--gap-s);
    min-height: var(--touch);
    margin-bottom: var(--gap-s);
  }

  .beside .back {
    display: none;
  }

  .back {
    border-color: transparent;
    background: none;
    color: var(--accent);
    margin-inline-start: -0.75rem;
  }

  .place {
    flex: 1;
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
  }

  .alone .place {
    text-align: center;
  }

  .steps button {
    font-size: 1.4rem;
    line-height: 1;
  }

  .alike,
  .next {
    margin-top: var(--gap);
  }

  .next {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap);
    min-height: var(--touch);
    padding: 0.6rem 0.85rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    text-decoration: none;
  }

  .next:hover {
    background: var(--sunken);
  }

  .next b {
    color: var(--accent);
  }

  .alike {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap-s);
  }

  .alike button {
    color: var(--accent);
    padding-inline: 0.25rem;
  }
`;
