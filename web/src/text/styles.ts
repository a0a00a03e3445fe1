// How texts look: code, diffs, patches, prose and plans. Imports lit; the properties are those of `ui/tokens`.

import { css } from "lit";

export const textStyles = css`
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

  .line.added .changed {
    border-radius: 0.2em;
    background: color-mix(in srgb, var(--on-added) 20%, transparent);
  }

  .line.removed .changed {
    border-radius: 0.2em;
    background: color-mix(in srgb, var(--on-removed) 20%, transparent);
  }

  @media (pointer: coarse) {
    .fold > summary {
      min-height: var(--touch);
    }
  }

  .prose > div {
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
    display: flex;
    flex-direction: column;
    gap: 0.6rem;
  }

  .plan :is(h3, h4, h5, h6) {
    margin: 0.35rem 0 0;
    font-size: var(--size-l);
    line-height: 1.3;
  }

  .plan h4 {
    font-size: 1rem;
  }

  .plan :is(h5, h6) {
    font-size: var(--size);
  }

  .plan :is(p, ul, ol, blockquote) {
    margin: 0;
  }

  .plan li > p + :is(p, ul, ol, .code),
  .plan blockquote > * + * {
    margin-top: 0.4rem;
  }

  .plan li.task {
    list-style: none;
    margin-inline-start: -1.4rem;
  }

  .plan ul {
    list-style: disc;
    padding-inline-start: 1.4rem;
  }

  .plan ol {
    list-style: decimal;
    padding-inline-start: 1.6rem;
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
