import { request } from 'undici';

const concurrency = 20;
const linkedCount = 20;
const referencesOfEach = 60;
const creditedCount = 200;
const termCount = 7;

/** Calls a site's API; @returns its data. @throws Error on any status but those of success and the ones in `allowed` */
export async function api(site, method, path, body, allowed = []) {
  const answer = await request(`${site.origin}/_cms/api${path}`, {
    method,
    headers: { ...site.headers, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const parsed = await answer.body.json();
  if (allowed.includes(answer.statusCode)) return undefined;
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`);
  return parsed.data;
}

async function createCollection(site, slug, references = []) {
  await api(site, 'POST', '/schema/collections', { slug, label: slug });
  const fields = [
    ['title', 'string', true],
    ['body', 'text', false],
    ['rank', 'integer', true],
    ['active', 'boolean', true],
  ].map(([name, type, indexed]) => ({ slug: name, label: name, type, indexed }));
  for (const field of [...fields, ...references])
    await api(site, 'POST', `/schema/collections/${slug}/fields`, field);
}

const defaultData = (rank) => ({
  title: `Entry ${rank}`,
  body: 'x'.repeat(2_000),
  rank,
  active: rank % 2 === 0,
});

/** Makes entries; @returns what the API answers. `data` says what each holds, `more` what else it gets. */
export async function createEntries(site, collection, count, { data = defaultData, more = () => ({}) } = {}) {
  const made = [];
  for (let index = 0; index < count; index += concurrency) {
    const some = Array.from({ length: Math.min(concurrency, count - index) }, (_, place) => {
      const rank = index + place;
      return api(site, 'POST', `/content/${collection}`, { data: data(rank), ...more(rank) });
    });
    made.push(...(await Promise.all(some)));
  }
  return made.map(({ item }) => item);
}

/** Entries that select 60 others each. */
async function createLinkedEntries(site) {
  const rules = { targetCollection: 'bench', multiple: true };
  const field = { slug: 'related', label: 'Related', type: 'reference', validation: rules };
  await createCollection(site, 'linked', [field]);
  const selected = (index) =>
    Array.from(
      { length: referencesOfEach },
      (_, place) => site.ids[(index * 7 + place * 11) % site.ids.length],
    );
  const more = (index) => ({ references: { related: selected(index) } });
  const made = await createEntries(site, 'linked', linkedCount, { more });
  return made.map(({ id }) => id);
}

/**
 * Entries with two credits each, and as many that show their author's own byline.
 * @returns whether there are bylines
 */
async function createCreditedEntries(site) {
  const byline = (slug, more) => ({
    slug,
    displayName: `Byline ${slug}`,
    bio: 'Writes now and then.',
    ...more,
  });
  const own = await api(site, 'POST', '/admin/bylines', byline('own', { userId: site.authorId }), [404]);
  if (!own) return false;
  const guests = [];
  for (const slug of ['guest-a', 'guest-b', 'guest-c'])
    guests.push(await api(site, 'POST', '/admin/bylines', byline(slug, { isGuest: true })));
  const credits = (index) => [
    { bylineId: guests[index % 3].id },
    { bylineId: guests[(index + 1) % 3].id, roleLabel: 'Photographs' },
  ];
  await createCollection(site, 'credited');
  const more = (index) => (index % 2 === 0 ? { bylines: credits(index) } : {});
  await createEntries(site, 'credited', creditedCount, { more });
  return true;
}

async function createTerms(site) {
  const taxonomy = { name: 'topics', label: 'Topics', collections: ['bench'] };
  await api(site, 'POST', '/taxonomies', taxonomy);
  const ids = [];
  for (let index = 0; index < termCount; index += 1)
    ids.push((await api(site, 'POST', '/taxonomies/topics/terms', { label: `Topic ${index}` })).term.id);
  return ids;
}

/**
 * Fills a site with what is measured. `site` gets the ids of its entries, of those that select others, of its terms and
 * of their author, and whether it has bylines.
 * @param entryCount of 2 KB each
 */
export async function fillSite(site, entryCount) {
  await createCollection(site, 'bench');
  // New entries go elsewhere, so that lists are of one length in every round and every variant.
  await createCollection(site, 'growing');
  const entries = await createEntries(site, 'bench', entryCount);
  site.ids = entries.map(({ id }) => id);
  site.linkedIds = await createLinkedEntries(site);
  site.termIds = await createTerms(site);
  site.authorId = entries[0].authorId;
  site.hasBylines = await createCreditedEntries(site);
}
