// What is loaded only when it is needed: a module that is not there yet, and who waits for it.
//
// Pure but for the loading; imports nothing.

const AGAIN_MS = 5000;

/** Returns a function that gives the loaded thing, or nothing yet; whoever asks is woken when it came. */
export function lazy<T>(load: () => Promise<T>): (wake: () => void) => T | undefined {
  let value: T | undefined;
  let failedAt = 0;
  let isLoading = false;
  const waiting = new Set<() => void>();
  const settle = () => {
    isLoading = false;
    const all = [...waiting];
    waiting.clear();
    for (const wake of all) wake();
  };
  return (wake) => {
    if (value !== undefined) return value;
    // Not loaded while offline: what is shown plain may stay so, and is asked for again later.
    if (!isLoading && Date.now() - failedAt < AGAIN_MS) return undefined;
    waiting.add(wake);
    if (!isLoading) {
      isLoading = true;
      load().then(
        (loaded) => {
          value = loaded;
          settle();
        },
        () => {
          failedAt = Date.now();
          waiting.clear();
          isLoading = false;
        },
      );
    }
    return undefined;
  };
}
