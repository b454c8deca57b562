import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  multipartForm,
  walkPages,
  type ApiResponse,
  type Client,
  type FormPart,
  type RequestOptions,
  type Site,
} from '@quire/testing';

export const analyzePath = '/import/legacy/analyze';
export const preparePath = '/import/legacy/prepare';
export const executePath = '/import/legacy/execute';
export const importsPath = '/import/legacy/imports';

const folder = new URL('../../fixtures/wxr/', import.meta.url);

export const exampleNames = [
  'wxr11-small.xml',
  'ja-classic.xml',
  'blocks-wp64.xml',
  'mixed-blocks.xml',
  'products.xml',
  'edge-cases.xml',
] as const;
export type ExampleName = (typeof exampleNames)[number];

/** The bytes of an example export. */
export function exampleFile(name: ExampleName): Buffer {
  const isPlain = name === 'edge-cases.xml' || name === 'wxr11-small.xml';
  return isPlain
    ? readFileSync(new URL(name, folder))
    : gunzipSync(readFileSync(new URL(`${name}.gz`, folder)));
}

/** The counts of an example export, taken from its XML independently of the importer. */
export interface GroundTruth {
  wxrVersion: string;
  siteTitle: string;
  baseBlogUrl: string;
  items: number;
  byType: Record<string, number>;
  authorsDeclared: number;
  assignments: Record<string, number>;
  attachments: number;
  comments: number;
  menus: Record<string, number>;
  expected: {
    entriesByType: Record<string, number>;
    entriesByStatus: Record<string, number>;
    skippedStatuses: Record<string, number>;
    terms: Record<string, number>;
    sections: number;
    comments: number;
    menusWithItems: number;
    bylines: number;
  };
}

export const groundTruth = JSON.parse(readFileSync(new URL('ground-truth.json', folder), 'utf8')) as Record<
  ExampleName,
  GroundTruth
>;

/** A post type as an analysis describes it. */
export interface AnalysedType {
  name: string;
  suggestedCollection: string;
  requiredFields: { slug: string; type: string }[];
}

type Bytes = string | Uint8Array;

const filePart = (value: Bytes): FormPart => ({
  name: 'file',
  value,
  filename: 'export.xml',
  type: 'text/xml',
});

/** Analyses an export. @param options further headers */
export const analyze = (client: Client, file: Bytes, options: RequestOptions = {}): Promise<ApiResponse> =>
  sendForm(client, analyzePath, [filePart(file)], options);

/** Executes an import. @param config an object, or the text of the field; undefined leaves it out */
export const execute = (
  client: Client,
  file: Bytes | undefined,
  config: object | string | undefined,
  options: RequestOptions = {},
): Promise<ApiResponse> => {
  const text = typeof config === 'object' ? JSON.stringify(config) : config;
  const parts = [
    ...(file === undefined ? [] : [filePart(file)]),
    ...(text === undefined ? [] : [{ name: 'config', value: text }]),
  ];
  return sendForm(client, executePath, parts, options);
};

export function sendForm(
  client: Client,
  path: string,
  parts: readonly FormPart[],
  { headers = {} }: RequestOptions = {},
): Promise<ApiResponse> {
  const form = multipartForm(parts);
  return client.post(path, undefined, { ...form, headers: { ...form.headers, ...headers } });
}

/** The data of a response with this status. @throws Error with the response otherwise */
export function dataOf(response: ApiResponse): ApiResponse['data'] {
  if (response.status !== 200) throw new Error(`Unexpected response: ${response.status} ${response.text}`);
  return response.data;
}

/** Analyses an export, and prepares the suggested collections with all fields. @returns the analysis */
export async function prepareFor(client: Client, file: Bytes): Promise<ApiResponse['data']> {
  const analysis = dataOf(await analyze(client, file));
  const postTypes = (analysis.postTypes as AnalysedType[]).map(
    ({ name, suggestedCollection: collection, requiredFields: fields }) => ({ name, collection, fields }),
  );
  const prepared = dataOf(await client.post(preparePath, { postTypes }));
  if (!prepared.success) throw new Error(`Preparing failed: ${JSON.stringify(prepared)}`);
  return analysis;
}

/** Creates the collection `posts` with the fields of every import; unlike a prepared one, it is not searchable. */
export const createPosts = (site: Site) =>
  site.collection({
    fields: [
      { slug: 'title', type: 'string', required: true },
      { slug: 'content', type: 'portableText' },
      { slug: 'excerpt', type: 'text' },
    ],
  });

/** The mapping of every analysed type to its suggested collection. */
export const allMappings = ({ postTypes }: { postTypes: AnalysedType[] }) =>
  Object.fromEntries(
    postTypes.map(({ name, suggestedCollection }) => [name, { collection: suggestedCollection }]),
  );

/** Imports an export into the suggested collections, all types and options on. @returns the summary */
export async function importFile(
  client: Client,
  file: Bytes,
  config: object = {},
): Promise<ApiResponse['data']> {
  const analysis = await prepareFor(client, file);
  return dataOf(await execute(client, file, { postTypeMappings: allMappings(analysis), ...config }));
}

/** An entry as lists return it. */
export interface Entry {
  id: string;
  type: string;
  slug: string;
  status: string;
  // Tests read values freely; their expectations are the type check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
  authorId: string | null;
  byline?: { id: string; displayName: string; slug: string } | null;
  bylines?: { byline: { id: string; displayName: string; slug: string; userId: string | null } }[];
  primaryBylineId: string | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  scheduledAt: string | null;
  deletedAt?: string;
  version: number;
  locale: string;
  translationGroup: string;
}

/** All entries of a collection; those in the trash have the status `trashed`. */
export async function entriesIn(client: Client, collection: string): Promise<Entry[]> {
  const listed = await walkPages<Entry>(client, `/content/${collection}?limit=100`);
  const trashed = await walkPages<Entry>(client, `/content/${collection}/trash?limit=100`);
  return [...listed, ...trashed.map((entry) => ({ ...entry, status: 'trashed' }))];
}

/** The ids of the entries that the field `parent` of an entry selects. */
export async function parentsOf(client: Client, { type, id }: Entry): Promise<string[]> {
  const { references } = dataOf(await client.get(`/content/${type}/${id}`));
  const parents: { id: string }[] = references.parent?.items ?? [];
  return parents.map((parent) => parent.id);
}

/** The slugs of all collections of the site. */
export const collectionSlugs = async (client: Client): Promise<string[]> =>
  (await client.get('/schema/collections')).data.items.map(({ slug }: { slug: string }) => slug);

/** All entries of the site by collection. */
export async function allEntries(client: Client): Promise<Record<string, Entry[]>> {
  const slugs = await collectionSlugs(client);
  return Object.fromEntries(
    await Promise.all(slugs.map(async (slug) => [slug, await entriesIn(client, slug)] as const)),
  );
}

/** A term as lists return it. */
export interface Term {
  id: string;
  slug: string;
  label: string;
  parentId: string | null;
  description?: string;
  children: Term[];
}

/** All terms of a taxonomy, without their hierarchy. */
export async function termsOf(client: Client, taxonomy: string): Promise<Term[]> {
  const flatten = (terms: Term[]): Term[] => terms.flatMap((term) => [term, ...flatten(term.children)]);
  return flatten(dataOf(await client.get(`/taxonomies/${taxonomy}/terms?includeCounts=false`)).terms);
}

/** All terms by taxonomy; taxonomies without terms are left out. */
export async function allTerms(client: Client): Promise<Record<string, Term[]>> {
  const { taxonomies } = dataOf(await client.get('/taxonomies'));
  const named = await Promise.all(
    (taxonomies as { name: string }[]).map(async ({ name }) => [name, await termsOf(client, name)] as const),
  );
  return Object.fromEntries(named.filter(([, terms]) => terms.length > 0));
}

/** Comments of all states. */
export async function allComments(client: Client): Promise<ApiResponse['data'][]> {
  const lists = ['approved', 'pending', 'spam', 'trash'].map((status) =>
    walkPages<ApiResponse['data']>(client, `/admin/comments?limit=100&status=${status}`),
  );
  return (await Promise.all(lists)).flat();
}

/** All menus with their items. */
export async function allMenus(client: Client): Promise<ApiResponse['data'][]> {
  const list = dataOf(await client.get('/menus')) as { name: string }[];
  return Promise.all(list.map(async ({ name }) => dataOf(await client.get(`/menus/${name}`))));
}

export const allSections = (client: Client) => walkPages<ApiResponse['data']>(client, '/sections?limit=100');

export const allBylines = (client: Client) =>
  walkPages<ApiResponse['data']>(client, '/admin/bylines?limit=100');
