/// <reference types="vite/client" />

declare module "vue-router" {
  interface RouteMeta {
    /** Message key of the page's title. */
    titleKey: string;
    /** The page shows personal data: without a session the visitor is sent to sign-in and back. */
    requiresSession?: true;
  }
}

export {};
