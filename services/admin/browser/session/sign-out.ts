import { api } from '../api/client.js';
import { links } from '../app/destinations.js';

/** Ends the session and opens the login page. */
export async function signOut(): Promise<void> {
  await api.call('logout');
  location.assign(links.login);
}
