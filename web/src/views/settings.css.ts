// How settings look: words at one side, their value at the other. Imports lit.

import { css } from "lit";

/** Of the view itself. */
export const pageStyles = css`
  :host {
    max-width: var(--measure);
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap), var(--safe-right)) var(--gap-l) max(var(--gap), var(--safe-left));
  }
  h2 {
    margin: var(--gap-l) 0 var(--gap-s);
  }
`;

/** Of each setting. */
export const settingStyles = css`
  .panel {
    padding: 0;
  }
  .setting {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--gap-s) var(--gap-l);
    padding: var(--gap) var(--gap-l);
  }
  .setting + .setting,
  sayso-push,
  sayso-push + .setting {
    border-top: 1px solid var(--line);
  }
  .about {
    flex: 1 1 16rem;
    min-width: 0;
  }
  .switch .about {
    flex-basis: 8rem;
  }
  .value {
    flex: none;
    max-width: 100%;
  }
  input[type="number"] {
    width: 7rem;
  }
  select {
    width: auto;
    max-width: 100%;
  }
`;
