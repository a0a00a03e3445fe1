/** Names that nobody else has. A page that came over plain http has no `randomUUID`; this is everywhere. */
export function chance(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
