import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { siteRecords, type InternalOperation } from '@quire/internal-api';
import { packageLimits } from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import { getTransferCapabilities } from './get-transfer-capabilities.js';

interface Inspected {
  blockers: { kind: string; count: number }[];
  scaffold: { kind: string; key: string }[];
}
const nothing: Inspected = { blockers: [], scaffold: [] };

/** The capabilities of a site whose services find these records. */
function capabilitiesOf(found: Partial<Record<'content' | 'media' | 'search', Inspected>>) {
  const clientOf = (owner: 'content' | 'media' | 'search') => ({
    call: ({ id }: InternalOperation) => {
      expect(id).toBe(siteRecords[owner].inspect.id);
      return Promise.resolve(found[owner] ?? nothing);
    },
  });
  const clients = { content: clientOf('content'), media: clientOf('media'), search: clientOf('search') };
  return getTransferCapabilities({} as Context, { clients } as unknown as TransferDeps);
}

describe('getTransferCapabilities', () => {
  it('returns formats and limits, and an empty domain for a new site', async () => {
    const scaffold = [{ kind: 'collections', key: '01A' }];
    expect(await capabilitiesOf({ content: { blockers: [], scaffold } })).toEqual({
      formatVersions: ['1'],
      features: [],
      optionalFeatures: [],
      limits: packageLimits,
      portableDomain: { empty: true, blockers: [], seededScaffold: scaffold },
    });
  });

  it('names what prevents an import, of every service', async () => {
    const { portableDomain } = await capabilitiesOf({
      content: { blockers: [{ kind: 'entries', count: 12 }], scaffold: [] },
      media: { blockers: [{ kind: 'media_items', count: 1 }], scaffold: [] },
    });
    expect(portableDomain).toEqual({
      empty: false,
      blockers: [
        { kind: 'entries', count: '12' },
        { kind: 'media_items', count: '1' },
      ],
      seededScaffold: [],
    });
  });

  it('lists fifty records at most', async () => {
    const scaffold = Array.from({ length: 60 }, (_, index) => ({ kind: 'fields', key: String(index) }));
    const { portableDomain } = await capabilitiesOf({ content: { blockers: [], scaffold } });
    expect(portableDomain.seededScaffold).toHaveLength(50);
  });
});
