import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  ceremonyOptionsOf,
  openSite,
  statusAndCode,
  ceremonyOf,
  SoftwareAuthenticator,
  type Site,
} from '@quire/testing';

interface Offered {
  type: string;
  id: string;
  transports?: string[];
}

let site: Site;
const own = new SoftwareAuthenticator();

beforeAll(async () => {
  site = await openSite();
  await addPasskey(site, await site.signedIn('subscriber', 'eve'), own);
  await addPasskey(site, await site.signedIn('editor', 'known'), new SoftwareAuthenticator());
  await site.signedIn('editor', 'keyless');
});
afterAll(() => site.close());

const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const optionsFor = async (email: string, at = site) =>
  ceremonyOptionsOf(await at.anonymous().post('/auth/passkey/options', { email })) as {
    challenge: string;
    rpId: string;
    allowCredentials: Offered[];
  };
const offeredTo = async (email: string, at = site) => (await optionsFor(email, at)).allowCredentials;

describe('POST /auth/passkey/options with an address (decision 56)', () => {
  it.each(['known', 'keyless', 'nobody'])('offers passkeys in the same shape to %s', async (name) => {
    const options = await optionsFor(addressOf(name));
    expect(Object.keys(options)).toEqual([
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
      'allowCredentials',
    ]);
    expect(options.allowCredentials.length).toBeGreaterThan(0);
    for (const offered of options.allowCredentials) {
      expect(Object.keys(offered)).toEqual(['type', 'id', 'transports']);
      expect(offered.type).toBe('public-key');
      expect(offered.id).toMatch(/^[\w-]{20,}$/);
    }
  });

  it.each(['keyless', 'nobody'])(
    'offers the same ones to %s at every time, however it is written',
    async (name) => {
      const first = await offeredTo(addressOf(name));
      expect(await offeredTo(` ${addressOf(name).toUpperCase()} `)).toEqual(first);
    },
  );

  it('offers others to another address, and to the same one at another site', async () => {
    const neighbour = await openSite();
    const all = [
      await offeredTo('nobody@x.example'),
      await offeredTo('nobody2@x.example'),
      await offeredTo('nobody@x.example', neighbour),
    ];
    const ids = all.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    await neighbour.close();
  });

  it.each(['known', 'keyless', 'nobody'])(
    'gives a challenge that a user of one’s own does not answer for %s',
    async (name) => {
      const { challenge, rpId } = await optionsFor(addressOf(name));
      const credential = own.logIn({ challenge, rpId }, ceremonyOf(site));
      const answer = await site.anonymous().post('/auth/passkey/verify', { credential });
      expect(statusAndCode(answer)).toEqual([401, 'UNAUTHORIZED']);
    },
  );

  it('refuses a signature for an offered passkey alike, whether it is anybody’s', async () => {
    const answers = [];
    for (const name of ['known', 'nobody']) {
      const { challenge, rpId, allowCredentials } = await optionsFor(addressOf(name));
      const { response } = own.logIn({ challenge, rpId }, ceremonyOf(site));
      const id = allowCredentials[0]?.id;
      const credential = {
        id,
        rawId: id,
        type: 'public-key',
        response: { ...response, userHandle: undefined },
      };
      const { status, body } = await site.anonymous().post('/auth/passkey/verify', { credential });
      answers.push({ status, body });
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});
