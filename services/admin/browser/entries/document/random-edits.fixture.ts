import { isRecord } from './equality.js';

/** Random choices that are the same for the same seed. */
export class SeededRandom {
  private state: number;
  private words = 0;

  constructor(readonly seed: number) {
    this.state = seed * 2_654_435_761;
  }

  /** 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  isChosen(share = 0.5): boolean {
    return this.next() < share;
  }

  /** A word that no other call returns. */
  word(prefix: string): string {
    this.words += 1;
    return `${prefix}${this.words}`;
  }
}

type Block = Record<string, unknown>;
type Span = { _type: 'span'; _key: string; text: string; marks: string[] };

const list = <Item>(length: number, create: () => Item) => Array.from({ length }, create);

function sentence(random: SeededRandom, prefix: string): string {
  return list(1 + random.below(6), () => random.word(prefix)).join(' ');
}

function span(random: SeededRandom, prefix: string, marks: string[] = []): Span {
  return { _type: 'span', _key: random.word('s'), text: `${sentence(random, prefix)} `, marks };
}

function textBlock(random: SeededRandom, prefix: string): Block {
  const link = random.word('link');
  const hasLink = random.isChosen(0.3);
  return {
    _type: 'block',
    _key: random.word('b'),
    style: random.pick(['normal', 'h2']),
    markDefs: hasLink ? [{ _key: link, _type: 'link', href: random.word('/page') }] : [],
    children: [
      ...list(1 + random.below(3), () => span(random, prefix, random.isChosen(0.2) ? ['strong'] : [])),
      ...(hasLink ? [span(random, prefix, [link])] : []),
      ...(random.isChosen(0.2) ? [{ _type: 'icon', _key: random.word('i'), name: random.word(prefix) }] : []),
    ],
  };
}

function tableBlock(random: SeededRandom, prefix: string): Block {
  const cell = () => ({ _type: 'tableCell', content: [span(random, prefix)] });
  const row = () => ({ _type: 'tableRow', _key: random.word('r'), cells: list(2, cell) });
  return { _type: 'table', _key: random.word('t'), rows: list(2, row), caption: sentence(random, prefix) };
}

/** A block of rich text: a paragraph, a table, or one of an unknown type. */
export function randomBlock(random: SeededRandom, prefix: string): Block {
  const choice = random.next();
  if (choice < 0.7) return textBlock(random, prefix);
  if (choice < 0.85) return tableBlock(random, prefix);
  return {
    _type: 'card',
    _key: random.word('c'),
    title: sentence(random, prefix),
    settings: { note: sentence(random, prefix), tags: list(2, () => random.word(prefix)) },
  };
}

/** A row of a repeater. */
export function randomRow(random: SeededRandom, prefix: string): Record<string, unknown> {
  return { title: sentence(random, prefix), text: sentence(random, prefix), isOpen: random.isChosen() };
}

/** Changes a text as typing does: inserts, replaces and deletes words. */
export function editText(random: SeededRandom, text: string, prefix: string): string {
  const words = text.split(' ');
  const index = random.below(words.length);
  words.splice(index, random.below(2), ...list(random.below(3), () => random.word(prefix)));
  return words.join(' ');
}

/** Changes one text, property or child inside a value. */
export function editInside(random: SeededRandom, value: unknown, prefix: string): unknown {
  if (typeof value === 'string') return editText(random, value, prefix);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    if (random.isChosen(0.1) && value.length > 1) return value.filter((_, index) => index > 0);
    const index = random.below(value.length);
    return value.map((item: unknown, place) => (place === index ? editInside(random, item, prefix) : item));
  }
  if (!isRecord(value)) return value;
  const names = Object.keys(value).filter((name) => !name.startsWith('_') && name !== 'marks');
  const name = random.pick(names);
  if (name === 'style') return { ...value, style: random.pick(['normal', 'h2', 'blockquote']) };
  return { ...value, [name]: editInside(random, value[name], prefix) };
}

/** Changes a list as an editor does: edits, inserts, deletes and moves items. */
export function editList<Item>(
  random: SeededRandom,
  items: readonly Item[],
  {
    prefix,
    create,
    edit = editInside as never,
  }: {
    prefix: string;
    create: (random: SeededRandom, prefix: string) => Item;
    edit?: (random: SeededRandom, item: Item, prefix: string) => Item;
  },
): Item[] {
  const result = [...items];
  for (let count = random.below(4); count > 0; count -= 1) {
    const index = random.below(result.length);
    const choice = random.next();
    if (choice < 0.25 || result.length === 0) result.splice(index, 0, create(random, prefix));
    else if (choice < 0.4) result.splice(index, 1);
    else if (choice < 0.55) result.splice(random.below(result.length), 0, ...result.splice(index, 1));
    else result[index] = edit(random, result[index] as Item, prefix);
  }
  return result;
}

/** All words of a value; a word that continues in the next span is one word. */
export function wordsOf(value: unknown): Set<string> {
  return new Set(textsOf(value).flatMap((text) => text.split(/\s+/).filter((word) => word !== '')));
}

const isSpan = (value: unknown): value is Span => isRecord(value) && value['_type'] === 'span';

/** The text of the spans until the next object. */
function textOfRun(parts: readonly unknown[]): string {
  const end = parts.findIndex((part) => !isSpan(part));
  return parts
    .slice(0, end === -1 ? undefined : end)
    .map((part) => (part as Span).text)
    .join('');
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) {
    const runs = value.map((item: unknown, index) => {
      if (!isSpan(item)) return textsOf(item);
      return isSpan(value[index - 1]) ? [] : [textOfRun(value.slice(index))];
    });
    return runs.flat();
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => (/^_|^marks$/.test(name) ? [] : textsOf(part)));
}

/** All lists inside a value in which a key is there twice, as paths. */
export function repeatedKeys(value: unknown, path = ''): string[] {
  if (!isRecord(value) && !Array.isArray(value)) return [];
  const below = Object.entries(value).flatMap(([name, part]) => repeatedKeys(part, `${path}/${name}`));
  if (!Array.isArray(value)) return below;
  const keys = value.flatMap((item: unknown) =>
    isRecord(item) && item['_key'] !== undefined ? [item['_key']] : [],
  );
  return new Set(keys).size === keys.length ? below : [...below, path];
}
