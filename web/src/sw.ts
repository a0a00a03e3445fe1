/** The service worker. It keeps nothing yet: what the page is made of is fetched each time. */
declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", () => {
  void self.skipWaiting();
});

export {};
