import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const title = { slug: 'title', label: 'Title', type: 'string', validation: { maxLength: 80 } };
const text = { slug: 'text', label: 'Text', type: 'text' };

let count = 0;
const call = (tool: string, args: object = {}) => callTool(admin, tool, args);
const create = async (fields: object[] = [title], more: object = {}) => {
  count += 1;
  const slug = `type_${count}`;
  const { data } = await call('schema_create_block_type', { slug, label: slug, fields, ...more });
  return { slug, item: data.item, expectedFingerprint: data.item.versions[0].fingerprint as string };
};
const get = async (slug: string) => (await call('schema_get_block_type', { slug })).data.item;
const update = (slug: string, args: object) => call('schema_update_block_type', { slug, ...args });
const activate = (slug: string, args: object) =>
  call('schema_activate_block_type_version', { slug, ...args });
/** The versions of a block type, the active one marked with an asterisk. */
const versionsOf = (item: { versions: { version: number; active: boolean }[] }) =>
  item.versions.map(({ version, active }) => `${version}${active ? '*' : ''}`);

describe('schema_update_block_type', () => {
  it('changes only the given properties; null clears a text', async () => {
    const { slug, item, expectedFingerprint } = await create([title], { description: 'D', icon: 'i' });
    const { data } = await update(slug, { expectedFingerprint, label: 'New', icon: null });
    const { icon, ...rest } = item;
    expect(data.item).toEqual({ ...rest, label: 'New', updatedAt: data.item.updatedAt });
  });

  it('applies compatible fields to the active version', async () => {
    const { slug, expectedFingerprint } = await create();
    const { data } = await update(slug, { expectedFingerprint, fields: [title, text] });
    expect([versionsOf(data.item), data.item.currentVersion]).toEqual([['1*'], 1]);
    expect(data.item.versions[0].fields).toEqual([title, text]);
  });

  it('rejects incompatible fields with BLOCK_TYPE_BREAKING_CHANGE and the differences', async () => {
    const { slug, item, expectedFingerprint } = await create([title, text]);
    const fields = [{ ...title, required: true, validation: { maxLength: 5 } }];
    const {
      code,
      text: message,
      details,
    } = await update(slug, { expectedFingerprint, fields, label: 'New' });
    expect([code, message.includes('breaking: true')]).toEqual(['BLOCK_TYPE_BREAKING_CHANGE', true]);
    const differences = details?.['differences'] as { path: string; message: string }[];
    expect(differences.map(({ path }) => path).sort()).toEqual([
      'text',
      'title.required',
      'title.validation.maxLength',
    ]);
    expect(await get(slug)).toEqual(item);
  });

  it('adds a version for incompatible fields with breaking, which is active at once (decision 64)', async () => {
    const { slug, expectedFingerprint } = await create([title, text]);
    const { data } = await update(slug, { expectedFingerprint, fields: [text], breaking: true });
    expect([versionsOf(data.item), data.item.currentVersion]).toEqual([['1', '2*'], 2]);
    expect(data.item.versions.map(({ fields }: { fields: object[] }) => fields)).toEqual([
      [title, text],
      [text],
    ]);
  });

  it('rejects a stale fingerprint with CONFLICT, and succeeds once when two calls race', async () => {
    const { slug, expectedFingerprint } = await create();
    const calls = [1, 2].map((index) =>
      update(slug, { expectedFingerprint, fields: [title, { ...text, slug: `text_${index}` }] }),
    );
    const codes = (await Promise.all(calls)).map(({ code }) => code ?? 'success');
    expect(codes.sort()).toEqual(['CONFLICT', 'success']);
    const stale = await update(slug, { expectedFingerprint, label: 'Late' });
    expect(stale.code).toBe('CONFLICT');
    const { versions, label } = await get(slug);
    expect(label).toBe(slug);
    expect(stale.details).toEqual({ currentFingerprint: versions[0].fingerprint });
  });

  it.each<[string, object]>([
    ['expectedFingerprint', { expectedFingerprint: undefined }],
    ['label', { label: '' }],
    ['breaking', { breaking: 'true' }],
    ['fields.0.type', { fields: [{ ...title, type: 'blocks' }] }],
  ])('rejects a wrong %s with VALIDATION_ERROR', async (path, wrong) => {
    const { slug, expectedFingerprint } = await create();
    const { code, details } = await update(slug, { expectedFingerprint, ...wrong });
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toContainEqual(expect.objectContaining({ path }));
  });
});

describe('schema_activate_block_type_version', () => {
  it('returns {item} with that version active; older ones can be activated again', async () => {
    const { slug, expectedFingerprint: first } = await create([title, text]);
    const changed = await update(slug, { expectedFingerprint: first, fields: [text], breaking: true });
    const second = changed.data.item.versions[1].fingerprint;
    const back = await activate(slug, { version: 1, expectedFingerprint: second });
    expect([versionsOf(back.data.item), back.data.item.currentVersion]).toEqual([['1*', '2'], 1]);
    const again = await activate(slug, { version: 2, expectedFingerprint: first });
    expect(versionsOf(again.data.item)).toEqual(['1', '2*']);
  });

  it('rejects an unknown version with BLOCK_TYPE_VERSION_CONFLICT', async () => {
    const { slug, expectedFingerprint } = await create();
    const { code, text: message } = await activate(slug, { version: 9, expectedFingerprint });
    expect([code, message.includes('9')]).toEqual(['BLOCK_TYPE_VERSION_CONFLICT', true]);
  });

  it('rejects a fingerprint that is not that of the active version with CONFLICT', async () => {
    const { slug } = await create();
    expect((await activate(slug, { version: 1, expectedFingerprint: 'stale' })).code).toBe('CONFLICT');
  });

  it.each([0, -1, 1.5, '1', null])('rejects the version %j with VALIDATION_ERROR', async (version) => {
    const { slug, expectedFingerprint } = await create();
    expect((await activate(slug, { version, expectedFingerprint })).code).toBe('VALIDATION_ERROR');
  });
});
