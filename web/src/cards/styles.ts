// How cards look: calm, dense, nothing in colour alone. Imports lit; the properties are those of `ui/tokens`.

import { css } from "lit";

/** Code, diffs, patches, prose and plans. */
export const codeStyles = css`
  .mono,
  .code {
    font-family: var(--mono);
    font-size: 0.8125rem;
    line-height: 1.55;
    tab-size: 4;
  }

  .code {
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    background: var(--code-ground);
    padding: 0.4rem 0;
    unicode-bidi: isolate;
    text-align: left;
    overflow: clip;
  }

  .line {
    display: flex;
    align-items: baseline;
    padding: 0 0.6rem;
  }

  .line .text {
    flex: 1;
    min-width: 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }

  .number,
  .sign {
    flex: none;
    color: var(--text-soft);
    user-select: none;
  }

  .number {
    min-width: 2.6em;
    padding-right: 0.9em;
    text-align: right;
  }

  .number::before {
    content: attr(data-number);
  }

  .sign {
    width: 1.2em;
    font-weight: 700;
  }

  .sign::before {
    content: attr(data-sign);
  }

  .line.added {
    background: var(--added);
  }

  .line.removed {
    background: var(--removed);
  }

  .line.added :is(.number, .sign) {
    color: var(--on-added);
  }

  .line.removed :is(.number, .sign) {
    color: var(--on-removed);
  }

  .fold > summary {
    display: flex;
    align-items: center;
    min-height: 1.75rem;
    padding: 0 0.6rem;
    background: var(--sunken);
    color: var(--text-soft);
    font-family: var(--sans);
    font-size: var(--size-s);
    cursor: pointer;
  }

  .fold > summary::before {
    content: "⋯";
    width: 2.6em;
    text-align: center;
  }

  .mark {
    padding: 0 0.15em;
    border-radius: 0.25em;
    background: var(--mark);
    color: var(--on-mark);
    font-family: var(--mono);
    font-size: 0.9em;
  }

  .comment-text,
  .text .comment {
    color: var(--syntax-comment);
  }

  .text .word {
    color: var(--syntax-keyword);
  }

  .text .value {
    color: var(--syntax-number);
  }

  .text .string {
    color: var(--syntax-string);
  }

  .text .name {
    color: var(--syntax-name);
  }

  .text .attribute {
    color: var(--syntax-type);
  }

  /* On coloured ground the colours of words would be hard to read: there the text is plain. */
  .line:is(.added, .removed) .text span:not(.mark) {
    color: inherit;
  }

  .prose {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .file + .file {
    margin-top: var(--gap);
  }

  .file-name {
    margin-bottom: 0.3rem;
    font-weight: 600;
  }

  .place {
    margin: 0.4rem 0 0.2rem;
  }

  .verb {
    display: inline-block;
    padding: 0 0.5em;
    border-radius: 1em;
    background: var(--sunken);
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .verb.add {
    background: var(--added);
    color: var(--on-added);
  }

  .verb.delete {
    background: var(--removed);
    color: var(--on-removed);
  }

  .plan {
    display: flow-root;
  }

  .plan :is(h3, h4, h5, h6) {
    margin: 0.9rem 0 0.35rem;
    font-size: var(--size-l);
    line-height: 1.3;
  }

  .plan :is(h4, h5, h6) {
    font-size: var(--size);
  }

  .plan :is(p, ul, ol, blockquote, .table, .code) {
    margin: 0 0 0.6rem;
  }

  .plan ul {
    list-style: disc;
    padding-inline-start: 1.4rem;
  }

  .plan ol {
    list-style: decimal;
    padding-inline-start: 1.6rem;
  }

  .plan li > :is(ul, ol) {
    margin: 0;
  }

  .plan blockquote {
    margin-inline: 0;
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--line);
    color: var(--text-soft);
  }

  .plan code {
    padding: 0.05em 0.3em;
    border-radius: 0.25em;
    background: var(--code-ground);
  }

  .plan hr {
    border: 0;
    border-top: 1px solid var(--line);
  }

  .written {
    white-space: pre-wrap;
    font-family: var(--mono);
    font-size: 0.9em;
  }

  .lang,
  .address {
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  .address {
    font-family: var(--mono);
  }

  .table {
    overflow-x: auto;
  }

  .table table {
    border-collapse: collapse;
    font-size: var(--size-s);
  }

  .table :is(th, td) {
    padding: 0.3rem 0.6rem;
    border: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
`;

export const cardStyles = css`
  article {
    display: flex;
    flex-direction: column;
    gap: var(--gap);
    padding: var(--gap-l) var(--gap-l) var(--gap);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }

  :host([focused]) article {
    border-color: var(--accent);
    box-shadow:
      0 0 0 1px var(--accent),
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

  .prompt > summary {
    display: flex;
    gap: 0.4em;
    align-items: baseline;
    min-height: 1.5rem;
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

  .passage {
    position: relative;
    display: flex;
    align-items: flex-start;
    gap: 0.25rem;
  }

  .passage .words {
    flex: 1;
    min-width: 0;
  }

  .passage > :is(.words) > :first-child {
    margin-top: 0;
  }

  .passage.on {
    background: var(--accent-soft);
  }

  button.comment {
    flex: none;
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

  .comments {
    display: flex;
    flex-direction: column;
    gap: 0.6rem;
  }

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
    flex: 2 1 12rem;
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

  .lock button {
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

  .standing:empty {
    display: none;
  }

  .was > summary {
    min-height: 1.75rem;
    color: var(--text-soft);
    font-size: var(--size-s);
  }

  @media (max-width: 40rem) {
    article {
      padding: var(--gap) var(--gap) 0;
      border-radius: var(--radius-s);
    }

    .pair .label {
      flex-basis: 100%;
    }

    /* The answers stay at the thumb, however long the card is; what is chosen from scrolls by. */
    .actions {
      display: contents;
    }

    .actions > .buttons {
      position: sticky;
      bottom: 0;
      z-index: 1;
      margin-inline: calc(-1 * var(--gap));
      padding: 0.6rem var(--gap) calc(0.6rem + var(--safe-bottom));
      border-top: 1px solid var(--line);
      background: var(--surface);
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
