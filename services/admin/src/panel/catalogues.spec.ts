import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const folder = new URL('../../browser/locales/', import.meta.url);
const catalogueOf = (file: string) =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string>;
const english = catalogueOf('en.json');
const others = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'en.json');

/** The names of the variables of a message. */
const variables = (message: string) => [...message.matchAll(/\{\s*(\w+)/g)].map(([, name]) => name).sort();

describe.each(others)('the catalogue %s', (file) => {
  const catalogue = catalogueOf(file);

  it('has the keys of the English one, in order', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(english).sort());
  });

  it('has the variables of the English one', () => {
    const different = Object.entries(catalogue).filter(
      ([key, message]) => String(variables(message)) !== String(variables(english[key] ?? '')),
    );
    expect(different).toEqual([]);
  });
});

it('there is a catalogue beside the English one', () => {
  expect(others).toContain('de.json');
});
