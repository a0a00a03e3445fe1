// Joins the stream to the store, and asks on each connection who we are and how the desk is.
//
// Imports `api` and `store`.

import { type Api, ApiError } from "../api/client.ts";
import { openStream, type Stream } from "../api/stream.ts";
import type { Health, Me } from "../api/types.ts";
import type { Store } from "./store.ts";

export function link(store: Store, api: Api): Stream {
  const stream = openStream(api, {
    change(change) {
      store.apply(change);
      if (store.state.adrift) stream.again(true);
    },
    online() {
      store.setOnline(true);
      void ask<Me>(api, "/api/me", (me) => store.set({ me }));
      void ask<Health>(api, "/api/health", (health) => store.set({ health }));
    },
    offline: () => store.setOnline(false),
    refused: (error) => store.refuse(error),
  });
  return stream;
}

async function ask<T>(api: Api, path: string, take: (value: T) => void): Promise<void> {
  try {
    take(await api.get<T>(path));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // else: asked again on the next connection
  }
}
