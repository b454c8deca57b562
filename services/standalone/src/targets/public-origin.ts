import type { Installation } from '../installation.js';

/** The origin at which clients reach the API. */
export function publicOriginOf({ environment }: Installation): string {
  return new URL(environment.CMS_PUBLIC_URL ?? `http://localhost:${environment.PORT}`).origin;
}
