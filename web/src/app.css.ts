// How the page's frame looks: on a desk the tabs stand in the header, on a phone at the thumb.
// Imports lit.

import { css } from "lit";

export const appStyles = css`
  :host {
    --header: 3.5rem;
    --tabs: 3.5rem;
    min-height: 100dvh;
  }

  .skip {
    position: fixed;
    top: -6rem;
    left: var(--gap);
    z-index: 20;
  }

  .skip:focus {
    top: var(--gap);
  }

  header {
    position: sticky;
    top: 0;
    z-index: 10;
    display: flex;
    align-items: center;
    gap: var(--gap);
    box-sizing: content-box;
    height: calc(var(--header) - 1px);
    padding: var(--safe-top) max(var(--gap), var(--safe-right)) 0 max(var(--gap), var(--safe-left));
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }

  .brand {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
    min-height: var(--touch);
    color: var(--text);
    font-size: var(--size-l);
    font-weight: 650;
    letter-spacing: -0.01em;
    text-decoration: none;
  }

  nav {
    display: flex;
    flex: 1;
    gap: 0.15rem;
  }

  nav a {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4em;
    min-height: var(--touch);
    min-width: var(--touch);
    padding: 0 0.8rem;
    border-radius: var(--radius-s);
    color: var(--text-soft);
    font-weight: 600;
    text-decoration: none;
    white-space: nowrap;
  }

  nav a:hover {
    background: var(--sunken);
    color: var(--text);
  }

  nav a[aria-current] {
    color: var(--accent);
  }

  .count {
    min-width: 1.5em;
    padding: 0 0.4em;
    border-radius: 1em;
    background: var(--accent);
    color: var(--on-accent);
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
    line-height: 1.5;
    text-align: center;
  }

  main:focus {
    outline: none;
  }

  .wait {
    padding: var(--gap-l);
  }

  .banner,
  .note {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap);
    padding: 0.25rem max(var(--gap), var(--safe-right)) 0.25rem max(var(--gap), var(--safe-left));
    border-bottom: 1px solid var(--line);
    background: var(--mark);
    color: var(--on-mark);
  }

  .note {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .banner > span,
  .note > span {
    flex: 1 1 14rem;
    padding: 0.5rem 0;
  }

  .banner button,
  .note button {
    color: inherit;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }

  @media (max-width: 47.99rem) {
    header {
      justify-content: space-between;
    }

    header.deep {
      display: none;
    }

    nav {
      position: fixed;
      right: 0;
      bottom: 0;
      left: 0;
      z-index: 10;
      gap: 0;
      padding: 0 var(--safe-right) var(--safe-bottom) var(--safe-left);
      border-top: 1px solid var(--line);
      background: var(--surface);
    }

    nav.deep {
      display: none;
    }

    nav a {
      position: relative;
      flex: 1 1 auto;
      min-width: 0;
      min-height: var(--tabs);
      padding: 0 0.1rem;
      border-radius: 0;
      font-size: clamp(0.6875rem, 3.6vw, var(--size-s));
    }

    nav .count {
      position: absolute;
      top: 0.2rem;
      left: 50%;
      margin-inline-start: 0.8rem;
      font-size: 0.6875rem;
    }

    nav a[aria-current]::before {
      content: "";
      position: absolute;
      top: -1px;
      right: 20%;
      left: 20%;
      height: 2px;
      background: var(--accent);
    }

    main {
      padding-bottom: calc(var(--tabs) + var(--safe-bottom));
    }

    main.deep {
      padding-top: var(--safe-top);
      padding-bottom: 0;
    }
  }
`;
