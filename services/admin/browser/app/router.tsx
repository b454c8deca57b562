import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { Home } from '../home/home.js';
import { Preferences } from '../preferences/preferences.js';
import { SignedIn } from '../session/signed-in.js';
import { basePath } from './destinations.js';
import { NotFound } from './not-found.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const preferences = createRoute({ getParentRoute: () => root, path: '/preferences', component: Preferences });
const signedIn = createRoute({ getParentRoute: () => root, path: '/signed-in', component: SignedIn });

export const router = createRouter({
  routeTree: root.addChildren([home, preferences, signedIn]),
  basepath: basePath,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
