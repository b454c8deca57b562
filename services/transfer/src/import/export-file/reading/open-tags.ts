import type { Markup } from './markup-scanner.js';

/** Deeper elements are a fault: no export nests more than a few levels. */
const maxDepth = 90;

/** The names of the elements that are open, and the first fault of their nesting. */
export class OpenTags {
  private readonly names: string[] = [];
  /** Why the XML is not well-formed, or null. */
  fault: string | null = null;

  get depth(): number {
    return this.names.length;
  }

  includes(name: string): boolean {
    return this.names.includes(name);
  }

  add(markup: Markup): void {
    if (markup.kind === 'malformed') this.fault ??= 'a tag is not well-formed';
    else if (markup.kind === 'close') this.close(markup.name);
    else if (markup.kind === 'open') this.open(markup.name);
  }

  private open(name: string): void {
    if (this.names.length < maxDepth) this.names.push(name);
    else this.fault ??= `more than ${maxDepth} elements are nested`;
  }

  private close(name: string): void {
    const last = this.names.at(-1);
    if (last !== name) this.fault ??= `</${name}> closes no open <${name}>, but follows <${last ?? ''}>`;
    const index = this.names.lastIndexOf(name);
    if (index !== -1) this.names.length = index;
  }
}
