import { expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { exportOf, type SourceItem } from './export-builder.js';
import { allMenus, importFile } from './support.js';

const site = useSite();

const customItem = (id: number, url: string): SourceItem => ({
  id,
  type: 'nav_menu_item',
  title: url,
  terms: [['nav_menu', 'main', 'Main']],
  meta: { _menu_item_type: 'custom', _menu_item_url: url },
  raw: `<wp:menu_order>${id}</wp:menu_order>`,
});

it('an imported menu leads to this site where it led to the source site, but for uploads', async () => {
  const admin = await site.as('admin');
  const upload = 'https://source.example/wp-content/uploads/2024/05/list.pdf';
  const addresses = [
    ['https://source.example', '/'],
    ['http://www.source.example/about/?a=1#team', '/about/?a=1#team'],
    ['/contact', '/contact'],
    [upload, upload],
    ['https://other.example/x', 'https://other.example/x'],
  ] as const;
  await importFile(admin, exportOf(addresses.map(([url], index) => customItem(index + 1, url))));
  const [menu] = await allMenus(admin);
  const links = menu.items.map(({ label, customUrl }: Record<string, string>) => [label, customUrl]);
  expect(links).toEqual(addresses);
});
