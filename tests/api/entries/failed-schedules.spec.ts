import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, eventually, makeOverdue, useSite, type Client, type TestEntry } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
});

async function scheduleOf({ id }: TestEntry): Promise<{ attempts: number; inSeconds: number } | undefined> {
  const [row] = await site.sql<{ attempts: number; inSeconds: number }>(
    `SELECT attempts, extract(epoch FROM due_at - now())::float AS "inSeconds"
     FROM cms_content.schedules WHERE entry_id = $1`,
    [id],
  );
  return row;
}

const statusOf = async (entry: TestEntry): Promise<string> => (await entry.get()).item.status;

/** Lets the database reject the publication of an entry with an unexpected error. */
async function rejectPublication({ id }: TestEntry): Promise<void> {
  await site.sql(`CREATE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.id = '${id}' AND NEW.status = 'published' THEN RAISE EXCEPTION 'forbidden'; END IF;
      RETURN NEW;
    END $$`);
  await site.sql(
    'CREATE TRIGGER forbid BEFORE UPDATE ON content_posts FOR EACH ROW EXECUTE FUNCTION forbid()',
  );
}

describe('scheduled publishing of an invalid entry', () => {
  let broken: TestEntry;
  let others: TestEntry[];

  beforeAll(async () => {
    broken = await createEntry(admin);
    others = await Promise.all(Array.from({ length: 5 }, () => createEntry(admin)));
    await rejectPublication(broken);
    await Promise.all([broken, ...others].map((entry) => entry.schedule()));
    await makeOverdue(site, broken, ...others);
  });

  it('does not block other due entries', async () => {
    const statuses = await eventually(
      () => Promise.all(others.map(statusOf)),
      (found) => found.every((status) => status === 'published'),
    );
    expect(new Set(statuses)).toEqual(new Set(['published']));
    expect(await statusOf(broken)).toBe('scheduled');
  });

  it('is rescheduled with increasing delay', async () => {
    await site.sql(
      "UPDATE cms_content.schedules SET attempts = 4, due_at = now() - interval '1 minute' WHERE entry_id = $1",
      [broken.id],
    );
    const schedule = await eventually(
      () => scheduleOf(broken),
      (found) => found !== undefined && found.attempts === 5 && found.inSeconds > 60,
    );
    expect(schedule?.attempts).toBe(5);
    expect(schedule?.inSeconds).toBeGreaterThan(100);
  });

  it('is published once it is valid', async () => {
    await site.sql('DROP TRIGGER forbid ON content_posts');
    await makeOverdue(site, broken);
    expect(
      await eventually(
        () => statusOf(broken),
        (status) => status === 'published',
      ),
    ).toBe('published');
    expect(await scheduleOf(broken)).toBeUndefined();
  });
});
