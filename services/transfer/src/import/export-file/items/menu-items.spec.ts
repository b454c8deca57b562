import { describe, expect, it } from '@jest/globals';
import { itemOf } from '../export-files.fixture.js';
import { menuItemOf } from './menu-items.js';

const type = '<wp:post_type>nav_menu_item</wp:post_type>';
const meta = (values: Record<string, string>) =>
  Object.entries(values)
    .map(
      ([key, value]) =>
        `<wp:postmeta><wp:meta_key>_menu_item_${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
    )
    .join('');

describe('menuItemOf', () => {
  it('reads the facts of a menu item', () => {
    const item = itemOf(
      `${type}<title>A &amp;amp; B</title><wp:post_id>7</wp:post_id><wp:status>publish</wp:status>
       <wp:menu_order>3</wp:menu_order><excerpt:encoded><![CDATA[Tip]]></excerpt:encoded><category domain="nav_menu" nicename="%e6%97%a5"><![CDATA[日]]></category>${meta(
         {
           type: 'taxonomy',
           menu_item_parent: '5',
           object: 'category',
           object_id: '31',
           url: '',
           target: '_blank',
           classes: 'a:3:{i:0;s:3:"one";i:1;s:7:"two six";i:2;s:0:"";}',
         },
       )}`,
    );
    expect(menuItemOf(item)).toEqual({
      sourceId: 7,
      menu: '日',
      menuName: '日',
      order: 3,
      parentId: 5,
      kind: 'taxonomy',
      object: 'category',
      objectId: 31,
      url: '',
      target: '_blank',
      classes: ['one', 'two', 'six'],
      title: 'A & B',
      titleAttribute: 'Tip',
      isDraft: false,
    });
  });

  it('gives the defaults of one without facts', () => {
    expect(
      menuItemOf(itemOf(`${type}<wp:status>draft</wp:status>${meta({ type: 'odd', object_id: 'x' })}`)),
    ).toMatchObject({
      menu: null,
      parentId: 0,
      kind: 'custom',
      objectId: 0,
      classes: [],
      title: '',
      titleAttribute: '',
      isDraft: true,
    });
  });

  it('is null for items of other types', () => {
    expect(menuItemOf(itemOf(''))).toBeNull();
  });
});
