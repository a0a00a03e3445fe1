// How a card looks: calm, dense, nothing in colour alone. Imports lit; the properties are those of `ui/tokens`.

import { css } from "lit";

/** Who asks, and what. */
export const cardStyles = css`
  /* What is far from the screen is not laid out: there may be hundreds of cards. */
  :host {
    content-visibility: auto;
    contain-intrinsic-size: auto 22rem;
    overflow-clip-margin: 0.75rem;
  }

  article {
    display: flex;
    flex-direction: column;
    gap: var(--gap);
    --inset: var(--gap-l);
    padding: var(--inset) var(--inset) var(--gap);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }

  :host([focused]) article {
    border-color: var(--accent);
    box-shadow:
      inset 0 0 0 1px var(--accent),
      var(--shadow);
  }

  header,
  .content,
  .actions,
  .stack {
    display: flex;
    flex-direction: column;
  }

  header {
    gap: 0.2rem;
  }

  .content {
    gap: var(--gap);
  }

  .actions,
  .stack {
    gap: 0.6rem;
  }

  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    column-gap: var(--gap);
  }

  h2 {
    font-weight: 650;
  }

  .what {
    font-weight: 450;
  }

  .when {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    white-space: nowrap;
  }

  .badge {
    padding: 0.05em 0.6em;
    border-radius: 1em;
    background: var(--accent-soft);
    color: var(--on-accent-soft);
    font-weight: 600;
  }

  .project {
    color: var(--text);
  }

  .strong {
    font-weight: 600;
  }

  bdi.theirs {
    unicode-bidi: isolate;
  }

  summary {
    cursor: pointer;
  }

  @media (pointer: coarse) {
    details > summary {
      min-height: var(--touch);
      padding-block: 0.6rem;
    }
  }

  /* Where the focus is put, but nothing can be pressed. */
  [tabindex="-1"]:focus-visible {
    outline: none;
  }

  .prompt > summary {
    display: flex;
    gap: 0.4em;
    align-items: baseline;
    min-height: 1.5rem;
  }

  .prompt > summary > .soft {
    flex: none;
  }

  .prompt > summary::before {
    content: "▸";
    flex: none;
    color: var(--text-soft);
  }

  .prompt[open] > summary::before {
    content: "▾";
  }

  .prompt .gist {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .prompt[open] .gist {
    visibility: hidden;
  }

  .prompt .prose {
    padding: 0.3rem 0 0.3rem 1em;
  }

  .asked {
    font-size: var(--size-l);
    line-height: 1.4;
  }

  .rows {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
  }

  .label {
    color: var(--text-soft);
    font-size: var(--size-s);
    font-weight: 600;
  }

  .pair {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.75rem;
    align-items: baseline;
  }

  .pair .label {
    flex: 0 0 7.5rem;
  }

  .pair .value {
    flex: 1 1 12rem;
    min-width: 0;
  }

  .pair .note {
    flex: 1 0 100%;
  }

  .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap);
    min-height: 1.75rem;
  }

  .small,
  button.small {
    font-size: var(--size-s);
  }

  button.tool {
    min-height: 2.75rem;
    margin-block: -0.5rem;
    padding: 0 0.75rem;
    font-size: var(--size-s);
  }

  button.tool[aria-pressed="true"] {
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.3em;
  }

  .end {
    height: 1px;
  }

  .show {
    margin-top: 0.4rem;
  }

  .plan-tools {
    display: flex;
    gap: 0.25rem;
    margin-bottom: -0.5rem;
  }

  /* Room at the side for what a passage is commented with, so that it never covers a word. */
  .passages {
    padding-inline-end: 2.5rem;
  }

  .passage {
    position: relative;
    border-radius: var(--radius-s);
  }

  .passage.on {
    background: var(--accent-soft);
    box-shadow: -0.4rem 0 0 var(--accent-soft);
  }

  button.comment {
    position: absolute;
    top: 50%;
    inset-inline-end: -2.75rem;
    transform: translateY(-50%);
    padding: 0;
    opacity: 0;
  }

  .passage:hover button.comment,
  button.comment:focus-visible {
    opacity: 1;
  }

  @media (hover: none) {
    button.comment {
      opacity: 1;
    }
  }

  blockquote {
    margin: 0;
    padding-inline-start: 0.7rem;
    border-inline-start: 3px solid var(--line);
    white-space: pre-wrap;
  }

  .comments li {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-s);
    background: var(--sunken);
  }

  .comments {
    display: flex;
    flex-direction: column;
    gap: 0.6rem;
  }
`;
