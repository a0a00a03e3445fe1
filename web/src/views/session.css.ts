// How one session looks. Imports lit.

import { css } from "lit";

export const sessionStyles = css`
  .panel {
    padding: var(--gap) var(--gap-l);
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 var(--gap);
  }

  h2 {
    font-size: var(--size);
  }

  h2 .soft {
    font-weight: 400;
  }

  .prompt {
    margin-top: var(--gap-s);
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: hidden;
  }

  .message {
    margin-top: var(--gap);
    padding-inline-start: var(--gap);
    border-inline-start: 3px solid var(--line);
  }

  .message button {
    margin-inline-start: -1em;
  }

  form {
    margin-top: var(--gap);
  }

  .choice {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
    min-height: var(--touch);
  }

  .tools {
    margin-top: var(--gap-s);
    gap: var(--gap-s);
  }

  .tools .quiet:first-child {
    margin-inline-start: -1em;
  }
`;
