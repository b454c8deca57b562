import { z } from 'zod';
import { instant, integer, jsonObject, key, reference, softReference, text } from '../properties.js';
import { defineRecord } from './define-record.js';
import { settingValues, type SettingKey } from './setting-values.js';

const times = { createdAt: instant(), updatedAt: instant() };
const blocks = () => z.array(jsonObject());

/** What a site has beside its entries. */
export const siteRecords = {
  principals: defineRecord(z.strictObject({ id: key(), displayName: text(), email: text().optional() }), {
    summary: 'A user of the exported site whom other records name; the import maps it to one of its own',
  }),
  settings: defineRecord(
    z.strictObject({
      key: z.enum(Object.keys(settingValues) as SettingKey[]),
      // A setting without a value has no record.
      value: z.union([text(), z.number(), z.boolean(), jsonObject(), z.array(z.unknown())]),
      updatedAt: instant(),
    }),
    { summary: 'A setting of the site', key: ['key'] },
  ),
  sections: defineRecord(
    z.strictObject({
      id: key(),
      slug: key(),
      title: text(),
      description: text().nullable(),
      keywords: z.array(z.string()),
      content: blocks(),
      previewMediaId: softReference('media_items').nullable(),
      source: z.enum(['theme', 'user', 'import']),
      themeId: text().nullable(),
      ...times,
    }),
    { summary: 'A section', unique: [['slug']] },
  ),
  menus: defineRecord(
    z.strictObject({
      id: key(),
      name: key(),
      label: text(),
      locale: text(),
      translationGroup: key(),
      ...times,
    }),
    {
      summary: 'A menu in one locale',
      unique: [
        ['name', 'locale'],
        ['translationGroup', 'locale'],
      ],
    },
  ),
  menu_items: defineRecord(
    z.strictObject({
      id: key(),
      menuId: reference('menus'),
      parentId: reference('menu_items').nullable(),
      sortOrder: integer(),
      type: z.enum(['custom', 'page', 'post', 'taxonomy', 'collection']),
      referenceCollection: text().nullable(),
      referenceId: text().nullable(),
      customUrl: text().nullable(),
      label: text(),
      titleAttr: text().nullable(),
      target: text().nullable(),
      cssClasses: text().nullable(),
      translationGroup: key(),
      createdAt: instant(),
    }),
    { summary: 'An item of a menu' },
  ),
  widget_areas: defineRecord(
    z.strictObject({ id: key(), name: key(), label: text(), description: text().nullable(), ...times }),
    { summary: 'A widget area', unique: [['name']] },
  ),
  widgets: defineRecord(
    z.strictObject({
      id: key(),
      areaId: reference('widget_areas'),
      sortOrder: integer(),
      type: z.enum(['content', 'menu', 'component']),
      title: text().nullable(),
      content: blocks().nullable(),
      menuName: softReference('menus', 'name').nullable(),
      componentId: text().nullable(),
      componentProps: jsonObject().nullable(),
    }),
    { summary: 'A widget of an area' },
  ),
  redirects: defineRecord(
    z.strictObject({
      id: key(),
      source: text(),
      destination: text(),
      type: z.literal([301, 302, 307, 308, 410, 451]),
      enabled: z.boolean(),
      groupName: text().nullable(),
      auto: z.boolean(),
      ...times,
    }),
    { summary: 'A redirect rule; its hits stay with the site', unique: [['source']] },
  ),
};
