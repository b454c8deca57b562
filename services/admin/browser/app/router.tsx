import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  stringifySearchWith,
} from '@tanstack/react-router';
import { parseEntrySearch } from '../entries/editor/entry-search.js';
import { parseListSearch } from '../entries/list/list-search.js';
import { Home } from '../home/home.js';
import { Preferences } from '../preferences/preferences.js';
import { SignedIn } from '../session/signed-in.js';
import { basePath } from './destinations.js';
import { NotFound } from './not-found.js';
import { ScreenError } from './screen-error.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const preferences = createRoute({ getParentRoute: () => root, path: '/preferences', component: Preferences });
const signedIn = createRoute({ getParentRoute: () => root, path: '/signed-in', component: SignedIn });
const entries = createRoute({
  getParentRoute: () => root,
  path: '/content/$collection',
  validateSearch: parseListSearch,
  component: lazyRouteComponent(() => import('../entries/list/collection-screen.js'), 'CollectionScreen'),
});
const entry = createRoute({
  getParentRoute: () => root,
  path: '/content/$collection/$id',
  validateSearch: parseEntrySearch,
  component: lazyRouteComponent(() => import('../entries/editor/entry-screen.js'), 'EntryScreen'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, preferences, signedIn, entries, entry]),
  basepath: basePath,
  scrollRestoration: true,
  defaultErrorComponent: ScreenError,
  // Texts stay texts: a search for "1" is no number. Only objects are JSON.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: stringifySearchWith(JSON.stringify),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
