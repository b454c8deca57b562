import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
});

describe('menu_create, menu_list and menu_get', () => {
  it('create, list and return a menu', async () => {
    const created = await callTool(editor, 'menu_create', { name: 'main', label: 'Main' });
    expect(created.data).toMatchObject({ name: 'main', label: 'Main', locale: 'en' });
    const { data } = await callTool(editor, 'menu_list');
    expect(data).toEqual([expect.objectContaining({ name: 'main', itemCount: 0 })]);
    expect((await callTool(editor, 'menu_get', { name: 'main' })).data).toMatchObject({
      name: 'main',
      items: [],
    });
  });

  it('reject a taken name with CONFLICT', async () => {
    const { code } = await callTool(editor, 'menu_create', { name: 'main', label: 'Main' });
    expect(code).toBe('CONFLICT');
  });
});
