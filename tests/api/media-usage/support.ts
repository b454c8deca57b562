import {
  createEntry,
  createImage,
  eventually,
  openSite,
  uploadFile,
  useFixture,
  type ApiResponse,
  type Client,
  type FieldInput,
  type Site,
  type TestEntry,
} from '@quire/testing';

/** One field of each type that refers to media. */
export const mediaFields: FieldInput[] = [
  { slug: 'title', type: 'string' },
  { slug: 'hero', type: 'image' },
  { slug: 'attachment', type: 'file' },
  { slug: 'body', type: 'portableText' },
  {
    slug: 'rows',
    type: 'repeater',
    validation: { subFields: [{ slug: 'picture', label: 'Picture', type: 'image' }] },
  },
];

export const imageOf = (id: string) => ({ provider: 'local', id });
export const richImage = (id: string) => ({ _type: 'image', asset: { _type: 'reference', _ref: id } });

/** A site with media and entries that use them. */
export class UsageSite {
  private constructor(
    readonly site: Site,
    readonly admin: Client,
  ) {}

  /** Opens a site, unless one is given, and creates the collection `posts` with a field of each media type. */
  static async open(site?: Site): Promise<UsageSite> {
    site ??= await openSite();
    await site.collection({ fields: mediaFields });
    return new UsageSite(site, await site.as('admin'));
  }

  /** Uploads an image. @returns its id */
  async media(): Promise<string> {
    const response = await uploadFile(this.admin, { bytes: await createImage(), type: 'image/png' });
    return response.data.item.id;
  }

  /** Creates an entry, by default an unpublished one of `posts`. */
  async entry(data: object, { published = false, collection = 'posts' } = {}): Promise<TestEntry> {
    const entry = await createEntry(this.admin, collection, { body: undefined, ...data });
    if (published) await entry.publish();
    return entry;
  }

  async repair(collection?: string) {
    const body = collection === undefined ? { scope: 'all' } : { scope: 'collection', collection };
    return (await this.admin.post('/admin/media-usage/repair', body)).data;
  }

  /** The usage of an item as GET /media/{id} returns it. */
  async usageOf(id: string, client: Client = this.admin) {
    return (await client.get(`/media/${id}?includeUsage=1`)).data.item.usage;
  }

  async countOf(id: string): Promise<number> {
    return (await this.usageOf(id)).count;
  }

  async coverage(): Promise<string> {
    return (await this.usageOf(await this.media())).coverage.status;
  }

  /** The occurrences of an item, each as `contentId variant path`. */
  async occurrences(id: string): Promise<string[]> {
    const { items } = (await this.admin.get(`/media/${id}/usage`)).data as { items: UsedIn[] };
    return items.flatMap(({ contentId, sources }) =>
      sources.flatMap(({ variant, occurrences }) =>
        occurrences.map(({ fieldPath }) => `${contentId} ${variant} ${fieldPath}`),
      ),
    );
  }

  /** Activates the index, which tracks changes from then on, and waits until it is complete. */
  async track(): Promise<void> {
    assertSuccess(await this.admin.post('/admin/media-usage/activation', { writersDrained: true }));
    const { data } = await eventually(
      async () => assertSuccess(await this.admin.post('/admin/media-usage/progress')),
      (response) => response.data.progress?.status === 'ready',
    );
    if (data.progress?.status !== 'ready')
      throw new Error(`The index did not become ready: ${JSON.stringify(data)}`);
  }

  close(): Promise<void> {
    return this.site.close();
  }
}

interface UsedIn {
  contentId: string;
  sources: { variant: string; occurrences: { fieldPath: string }[] }[];
}

function assertSuccess(response: ApiResponse): ApiResponse {
  if (response.status === 200) return response;
  throw new Error(`The index was not activated: ${response.status} ${JSON.stringify(response.body)}`);
}

/** Registers hooks that open a `UsageSite` before the tests and close it after them. */
export const useUsageSite = (): UsageSite => useFixture(() => UsageSite.open());

/** Inserts a row. @param table with its schema */
export async function insertRow(site: Site, table: string, row: Record<string, unknown>): Promise<void> {
  const params = Object.keys(row).map((_, index) => `$${index + 1}`);
  await site.sql(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${params.join(', ')})`,
    Object.values(row),
  );
}
