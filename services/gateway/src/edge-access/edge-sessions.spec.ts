import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ServiceUpstream } from '@quire/service-client';
import { CredentialAuthentication, createAuthClient } from '../authentication/index.js';
import { EdgeSessions } from './edge-sessions.js';

const tenant = { id: 'a', database: null };
const requestInfo = { sessions: [], userAgent: undefined, requestId: 'r1', clientAddress: null };
type Request = ServiceUpstream['request'];
const ok = (data: object) => ({ status: 200, text: JSON.stringify({ success: true, data }) });

let opened: number;
let isAuthDown: boolean;
let sessions: EdgeSessions;

beforeEach(() => {
  opened = 0;
  isAuthDown = false;
  const request = jest.fn<Request>((path) => {
    if (path.endsWith('/credentials/session'))
      return Promise.resolve(
        ok({
          session: {
            sessionId: 's1',
            userId: 'u1',
            role: 30,
            disabled: false,
            authenticatedAt: '2025-01-01T00:00:00.000Z',
            expiresAt: '2999-01-01T00:00:00.000Z',
          },
        }),
      );
    opened += 1;
    return isAuthDown ? Promise.reject(new Error('down')) : Promise.resolve(ok({ session: `text${opened}` }));
  });
  const upstream = { service: 'auth', isLocal: false, request } as unknown as ServiceUpstream;
  const auth = createAuthClient(upstream);
  sessions = new EdgeSessions(new CredentialAuthentication(auth), auth, 2);
});
const open = async (key: string) => (await sessions.of({ key, userId: 'u1', tenant }, requestInfo)).newText;

describe('EdgeSessions (document 1, Sessions)', () => {
  it('opens one session for concurrent requests with one assertion', async () => {
    const texts = await Promise.all([open('1'), open('1'), open('1')]);
    expect([new Set(texts).size, opened]).toEqual([1, 1]);
  });

  it('forgets the session of the least recently used assertion, and no other', async () => {
    expect([await open('1'), await open('2'), await open('1'), await open('3')]).toEqual([
      'text1',
      'text2',
      'text1',
      'text3',
    ]);
    expect([await open('1'), await open('2')]).toEqual(['text1', 'text4']);
  });

  it('opens a session again after a failure', async () => {
    isAuthDown = true;
    await expect(open('1')).rejects.toThrow('down');
    isAuthDown = false;
    expect(await open('1')).toBe('text2');
  });
});
