// How the list of what waits looks. Imports lit.

import { css } from "lit";

export const listStyles = css`
  .find {
    margin-bottom: var(--gap);
  }

  .empty {
    padding: var(--gap-l) 0;
  }

  .empty p:first-child {
    font-size: var(--size-l);
  }

  .group {
    margin-bottom: var(--gap-l);
  }

  .head {
    margin-bottom: var(--gap-s);
  }

  h2 {
    font-size: var(--size);
    font-weight: 600;
  }

  .place {
    color: var(--text-soft);
    font-weight: 400;
  }

  .live {
    color: var(--accent);
    font-weight: 600;
  }

  .group > ul {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    overflow: hidden;
  }

  li + li {
    border-top: 1px solid var(--line);
  }

  .entry {
    display: block;
    min-height: var(--touch);
    padding: 0.6rem 0.85rem;
    border-inline-start: 3px solid transparent;
    color: inherit;
    text-decoration: none;
  }

  .entry:hover {
    background: var(--sunken);
  }

  .entry:focus-visible {
    outline-offset: -2px;
  }

  .current {
    border-inline-start-color: var(--accent);
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .current:hover {
    background: var(--accent-soft);
  }

  .top {
    display: flex;
    align-items: baseline;
    gap: var(--gap);
  }

  .what {
    flex: 1;
    min-width: 0;
    font-weight: 600;
  }

  .age {
    flex: none;
    color: var(--text-soft);
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
  }

  .current .age,
  .current .faint,
  .current .gist {
    color: inherit;
  }

  .gist {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    color: var(--text-soft);
    font-family: var(--mono);
    font-size: var(--size-s);
  }

  .marks {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s);
    margin-top: var(--gap-s);
  }

  .faint {
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .over .what {
    font-weight: 400;
  }

  .over .gist {
    -webkit-line-clamp: 1;
  }

  .how {
    display: block;
    font-size: var(--size-s);
  }

  .ended h2,
  #notices {
    color: var(--text-soft);
    font-size: var(--size-s);
    font-weight: 600;
  }

  button.wide {
    width: 100%;
  }
`;
