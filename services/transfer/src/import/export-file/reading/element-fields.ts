import { resolveName, uriOf, withDeclarations, type Namespaces } from './namespaces.js';
import { childElements, textOf, type XmlElement } from './xml-element.js';

/** The children of one element by their resolved names; foreign elements are left out. */
export class ElementFields {
  private readonly byName = new Map<string, XmlElement[]>();
  /** The namespaces in scope. */
  private readonly scope: Namespaces;

  /**
   * @param outer the namespaces around the element
   * @param fileDefault the default namespace of the file's channel
   */
  constructor(
    element: XmlElement,
    outer: Namespaces,
    private readonly fileDefault = uriOf('', outer) ?? '',
  ) {
    this.scope = withDeclarations(element.attributes, outer);
    for (const child of childElements(element)) {
      const name = resolvedNameOf(child, this.scope, fileDefault);
      if (name === null) continue;
      const others = this.byName.get(name);
      if (others === undefined) this.byName.set(name, [child]);
      else others.push(child);
    }
  }

  /** The elements of a name, in order. */
  all(name: string): readonly XmlElement[] {
    return this.byName.get(name) ?? [];
  }

  /** The fields of each element of a name, in order. */
  nested(name: string): ElementFields[] {
    return this.all(name).map((element) => new ElementFields(element, this.scope, this.fileDefault));
  }

  /** The text of the first element of a name, not trimmed; empty if there is none. */
  text(name: string): string {
    const [first] = this.all(name);
    return first === undefined ? '' : textOf(first);
  }

  trimmed(name: string): string {
    return this.text(name).trim();
  }

  /** The trimmed text, or null if it is empty. */
  optional(name: string): string | null {
    return this.trimmed(name) || null;
  }

  /** A non-negative whole number, or null for any other text. */
  id(name: string): number | null {
    const text = this.trimmed(name);
    const id = /^\d+$/.test(text) ? Number(text) : null;
    return Number.isSafeInteger(id) ? id : null;
  }

  /** A whole number, 0 for any other text. */
  integer(name: string): number {
    const text = this.trimmed(name);
    const number = /^-?\d+$/.test(text) ? Number(text) : 0;
    return Number.isSafeInteger(number) ? number : 0;
  }
}

/** The resolved name of an element, which may itself declare the namespace of its prefix. */
export function resolvedNameOf(element: XmlElement, outer: Namespaces, fileDefault: string): string | null {
  return resolveName(element.name, withDeclarations(element.attributes, outer), fileDefault);
}
