import { describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { useEdgeCases } from './edge-cases-support.js';

const site = useSite();
const cases = useEdgeCases(site);

const datesOf = (title: string) => {
  const { createdAt, updatedAt, publishedAt } = cases.entry(title);
  return { createdAt, updatedAt, publishedAt };
};
const sameDates = (time: string, publishedAt: string | null = time) => ({
  createdAt: time,
  updatedAt: time,
  publishedAt,
});

describe('states and dates of imported entries (contract 2.2, 2.4)', () => {
  it('a published entry has the dates of its source', () => {
    expect(datesOf('E01')).toEqual(sameDates('2024-04-12T02:00:00.000Z'));
    expect(cases.entry('E01')).toMatchObject({ status: 'published', slug: 'e01-1', scheduledAt: null });
  });

  it('E17: a draft without date and slug has the slug of its title and no publication', () => {
    expect(cases.entry('E17')).toMatchObject({
      status: 'draft',
      slug: 'e17-draft-without-date-or-slug-ember',
      publishedAt: null,
    });
    expect(cases.warnings('E17')).toEqual([]);
  });

  it.each([
    ['E18', 'pending'],
    ['E19', 'private'],
    ['E24', 'wc-completed'],
  ])('%s: the status %s becomes draft with a warning', (title, status) => {
    expect(cases.entry(title)).toMatchObject({ status: 'draft', publishedAt: null, scheduledAt: null });
    expect(cases.warnings(title)).toEqual([['STATUS_CHANGED', expect.stringContaining(`'${status}'`)]]);
  });

  it.each(['E17', 'E18', 'E19', 'E20', 'E21', 'E22', 'E24', 'E25'])(
    '%s: a caller who sees no drafts does not see the entry',
    async (title) => {
      const subscriber = await site.as('subscriber');
      const { id, slug } = cases.entry(title);
      for (const address of [id, slug])
        expect((await subscriber.get(`/content/posts/${address}`)).status).toBe(404);
      expect(await titlesSeenBy(subscriber)).not.toContain(cases.entry(title).data.title);
    },
  );

  it('a caller who sees no drafts sees all published posts', async () => {
    const published = cases.entries.filter(({ type, status }) => type === 'posts' && status === 'published');
    expect(published).toHaveLength(36);
    expect((await titlesSeenBy(await site.as('subscriber'))).sort()).toEqual(
      published.map(({ data }) => data.title as string).sort(),
    );
  });

  it('E20: an entry of a later date is scheduled at it', () => {
    expect(cases.entry('E20')).toMatchObject({
      status: 'scheduled',
      scheduledAt: '2098-05-01T07:30:00.000Z',
      publishedAt: null,
    });
    expect(cases.warnings('E20')).toEqual([]);
  });

  it('E20: its schedule can be cancelled', async () => {
    const { id } = cases.entry('E20');
    const { status, data } = await cases.admin.delete(`/content/posts/${id}/schedule`);
    expect([status, data.item.status, data.item.scheduledAt]).toEqual([200, 'draft', null]);
  });

  it('E21: an entry whose schedule has passed is a draft with its date', () => {
    expect(cases.entry('E21')).toMatchObject({
      status: 'draft',
      createdAt: '2015-05-01T07:30:00.000Z',
      publishedAt: null,
      scheduledAt: null,
    });
    expect(cases.warningCodes('E21')).toEqual(['STATUS_CHANGED']);
  });

  it('E22: a trashed entry is in the trash with its own slug, and can be restored', async () => {
    const { id, slug, status, deletedAt } = cases.entry('E22');
    expect([slug, status, deletedAt]).toEqual(['e22-1', 'trashed', expect.any(String)]);
    const restored = await cases.admin.post(`/content/posts/${id}/restore`);
    expect(restored.status).toBe(200);
    const { data } = await cases.admin.get(`/content/posts/${id}`);
    expect([data.item.slug, data.item.status]).toEqual(['e22-1', 'draft']);
  });

  it('E23: an automatic draft is skipped', () => {
    expect(cases.entries.filter(({ data }) => String(data.title).startsWith('E23'))).toEqual([]);
    expect(cases.summary.byType.post).toEqual({ items: 45, imported: 44, updated: 0, skipped: 1, failed: 0 });
    expect(cases.summary.skipped).toBe(1);
  });

  it('E25: an entry with a password is a draft with a warning, and the password is stored nowhere public', () => {
    expect(cases.entry('E25')).toMatchObject({ status: 'draft', publishedAt: null });
    expect(cases.warningCodes('E25')).toEqual(['PASSWORD_REMOVED']);
    expect(JSON.stringify(cases.summary)).not.toContain('hunter2');
    expect(JSON.stringify(cases.entry('E25'))).not.toContain('hunter2');
  });

  it('E26: a sticky entry is published without a warning', () => {
    expect(cases.entry('E26').status).toBe('published');
    expect(cases.warnings('E26')).toEqual([]);
  });

  it('E44: a local date without a UTC date has the offset of the other items', () => {
    expect(datesOf('E44 only a local')).toMatchObject({
      createdAt: '2024-06-30T22:30:00.000Z',
      publishedAt: '2024-06-30T22:30:00.000Z',
    });
    expect(cases.warnings('E44 only a local')).toEqual([]);
  });

  it('E44: a date before 1970 is kept', () => {
    expect(datesOf('E44 before the epoch')).toEqual(sameDates('1965-07-01T00:30:00.000Z'));
  });

  it('E44: an impossible date is no failure: the entry is published with a warning', () => {
    const { status, createdAt } = cases.entry('E44 impossible');
    expect(status).toBe('published');
    expect(createdAt.slice(0, 4)).not.toBe('2024');
    expect(cases.warnings('E44 impossible')).toEqual([
      ['DATE_INVALID', expect.stringContaining('2024-02-30 25:61:00')],
    ]);
  });
});

async function titlesSeenBy(client: Client): Promise<string[]> {
  const { items } = (await client.get('/content/posts?limit=100')).data;
  return items.map(({ data }: { data: { title: string } }) => data.title);
}
