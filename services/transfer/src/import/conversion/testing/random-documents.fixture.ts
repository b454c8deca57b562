/** A body with all its words, in their order. */
export interface RandomDocument {
  body: string;
  words: readonly string[];
}

const inlineNames = [
  'b',
  'em',
  'u',
  'del',
  'code',
  'sup',
  'sub',
  'span',
  'mark',
  'small',
  'abbr',
  'kbd',
  'ins',
];
const paragraphNames = ['p', 'div', 'section', 'address', 'center', 'h1', 'h2', 'h6', 'details', 'fieldset'];
const maxDepth = 5;

/** Random nestings of markup that the source platform allows; the same seed gives the same body. */
export class RandomDocumentGenerator {
  private words: string[] = [];

  private state: number;

  constructor(seed: number) {
    // Spreads seeds that follow each other: their first numbers would be nearly equal.
    this.state = Math.imul(seed, 2_654_435_761);
  }

  /** @returns a body with block markup or classic HTML */
  next(): RandomDocument {
    this.words = [];
    const isClassic = this.chance(2);
    const body = this.several(6, () => (isClassic ? this.element(0) : this.block(0))).join('\n\n');
    return { body, words: this.words };
  }

  /** A linear congruential generator: pseudo-random, and equal on all machines. */
  private below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  private chance(of: number): boolean {
    return this.below(of) === 0;
  }

  private pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  }

  private several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.below(most) }, make);
  }

  private word(): string {
    const word = `${this.pick(['word', 'näive', '日本', 'عرب', '&lt;b&gt;', '&amp;amp;'])}${this.words.length}`;
    this.words.push(word.replace(/&(lt|gt|amp);/g, (_, name: 'lt' | 'gt' | 'amp') => references[name]));
    return word;
  }

  private text(depth: number): string {
    return this.several(3, () => this.inline(depth)).join(this.pick([' ', ' <br> ', '\n']));
  }

  private inline(depth: number): string {
    if (depth > maxDepth || this.chance(2)) return this.word();
    // A link has no link in it.
    if (this.chance(4)) return `<a href="/page" title="t">${this.word()} <b>${this.word()}</b></a>`;
    const name = this.pick(inlineNames);
    return `<${name}>${this.text(depth + 1)}</${name}>`;
  }

  private element(depth: number): string {
    if (depth > maxDepth) return `<p>${this.text(depth)}</p>`;
    const inner = () => this.several(3, () => this.element(depth + 1)).join('\n');
    switch (this.below(9)) {
      case 0:
        return this.list(depth);
      case 1:
        return `<blockquote>${inner()} <cite>${this.text(depth + 1)}</cite></blockquote>`;
      case 2:
        return this.table(depth);
      case 3:
        return `<figure><img src="/i.png" alt=""><figcaption>${this.text(depth + 1)}</figcaption></figure>`;
      case 4:
        return `<pre>${this.text(depth + 1)}</pre>`;
      case 5:
        return `<dl><dt>${this.text(depth + 1)}</dt><dd>${inner()}</dd></dl>`;
      case 6:
        return `<div>${this.text(depth + 1)} ${inner()} ${this.text(depth + 1)}</div>`;
      case 7:
        return this.text(depth + 1);
      default: {
        const name = this.pick(paragraphNames);
        return `<${name}>${this.text(depth + 1)}</${name}>`;
      }
    }
  }

  private list(depth: number): string {
    const name = this.pick(['ul', 'ol']);
    const items = this.several(3, () => {
      const text = this.text(depth + 1);
      return `<li>${text} ${this.chance(2) ? this.element(depth + 1) : ''}</li>`;
    });
    return `<${name}>${items.join('')}</${name}>`;
  }

  private table(depth: number): string {
    const cell = () => `<td>${this.chance(3) ? this.element(depth + 1) : this.text(depth + 1)}</td>`;
    const row = () => `<tr>${this.several(2, cell).join('')}</tr>`;
    const head = this.chance(2) ? `<thead><tr><th>${this.text(depth)}</th></tr></thead>` : '';
    return `<table>${head}<tbody>${this.several(3, row).join('')}</tbody></table>`;
  }

  private block(depth: number): string {
    if (depth > maxDepth) return this.comment('paragraph', `<p>${this.text(depth)}</p>`);
    const inner = () => this.several(3, () => this.block(depth + 1)).join('\n');
    switch (this.below(9)) {
      case 0:
        return this.comment('group', `<div>${inner()}</div>`);
      case 1: {
        const columns = this.several(3, () => this.comment('column', `<div>${inner()}</div>`));
        return this.comment('columns', `<div>${columns.join('')}</div>`);
      }
      case 2:
        return this.comment('quote', `<blockquote>${inner()} <cite>${this.text(depth)}</cite></blockquote>`);
      case 3:
        return this.blockList(depth);
      case 4:
        return this.comment('vendor/box', `<div><b>${this.word()}</b> ${inner()} ${this.text(depth)}</div>`);
      case 5:
        return this.comment('details', `<details><summary>${this.text(depth)}</summary>${inner()}</details>`);
      case 6:
        return this.comment('cover', `<div class="wp-block-cover">${inner()}</div>`);
      case 7:
        return this.comment('freeform', this.element(depth + 1));
      default:
        return this.comment('heading', `<h3>${this.text(depth)}</h3>`);
    }
  }

  private blockList(depth: number): string {
    const items = this.several(3, () => {
      const text = this.text(depth);
      return this.comment(
        'list-item',
        `<li>${text}${this.chance(2) && depth < maxDepth ? this.blockList(depth + 1) : ''}</li>`,
      );
    });
    return this.comment('list', `<ul>${items.join('')}</ul>`);
  }

  private comment(name: string, html: string): string {
    return `<!-- wp:${name} -->${html}<!-- /wp:${name} -->`;
  }
}

const references = { lt: '<', gt: '>', amp: '&' } as const;
