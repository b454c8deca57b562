import { QuireError } from '@quire/errors';

const identityPath = '/cdn-cgi/access/get-identity';
/** The cookie in which the access team expects the assertion. */
const assertionCookie = 'Edge_Authorization';
const timeoutMs = 5_000;

/** Returns the names of groups, which access teams write as texts or as objects; undefined without a list of groups. */
export function groupsOf(identity: unknown): Set<string> | undefined {
  const listed = (identity as { groups?: unknown } | null | undefined)?.groups;
  if (!Array.isArray(listed)) return undefined;
  const names = listed.map((group: unknown) =>
    typeof group === 'string' ? group : (group as { name?: unknown } | null)?.name,
  );
  return new Set(names.filter((name): name is string => typeof name === 'string'));
}

/**
 * Requests the groups of the user of an assertion from the access team. A team without groups gives none.
 * @param team origin of the access team
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function loadGroups(team: string, assertion: string): Promise<Set<string>> {
  try {
    const response = await fetch(new URL(identityPath, team), {
      headers: { accept: 'application/json', cookie: `${assertionCookie}=${assertion}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      // An unread body would occupy its connection.
      await response.body?.cancel();
      if (response.status === 404) return new Set();
      throw new Error(`The access team responded with ${response.status}`);
    }
    return groupsOf(await response.json()) ?? new Set();
  } catch (error) {
    throw new QuireError(
      'SERVICE_UNAVAILABLE',
      'The groups of the access proxy are unavailable; retry later',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
}
