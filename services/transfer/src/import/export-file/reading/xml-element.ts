import { XMLParser } from 'fast-xml-parser';
import { ExportFileError } from '../export-file-error.js';
import { ReferenceDecoder, withoutControlCharacters } from './entities.js';

/** An element, or a piece of text, as fast-xml-parser returns it with `preserveOrder`. */
type ParsedNode = Readonly<Record<string, readonly ParsedNode[] | string | Attributes>>;
export type Attributes = Readonly<Record<string, string>>;

/** An element of a parsed document; its children are read when they are asked for. */
export interface XmlElement {
  /** The qualified name as written. */
  name: string;
  attributes: Attributes;
  children: readonly ParsedNode[];
}

/** An element that is not well-formed; the file around it may be. */
export class MalformedElementError extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'MalformedElementError';
  }
}

const textKey = '#text';
const attributesKey = ':@';
const noAttributes: Attributes = {};
const decoder = new ReferenceDecoder();
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  jPath: false,
  maxNestedTags: 100,
  entityDecoder: decoder,
});

/**
 * Parses one element. References are decoded once; control characters are removed (2.1).
 * @throws MalformedElementError
 * @throws ExportFileError without a line, for entities that only a DTD could declare
 */
export function parseElement(xml: string): { element: XmlElement; removedControlCharacters: boolean } {
  const { text, isChanged } = withoutControlCharacters(xml);
  const [element] = elementsOf(parse(text));
  if (element === undefined) throw new MalformedElementError('the element is empty');
  return { element, removedControlCharacters: isChanged || decoder.hasRemovedControl };
}

/** The child elements, in order. */
export function childElements(element: XmlElement): XmlElement[] {
  return elementsOf(element.children);
}

/** Text and CDATA sections of an element and its descendants, joined. */
export function textOf(element: XmlElement): string {
  return joinedText(element.children);
}

function parse(text: string): readonly ParsedNode[] {
  try {
    return parser.parse(text) as readonly ParsedNode[];
  } catch (error) {
    if (error instanceof ExportFileError) throw error;
    throw new MalformedElementError(error instanceof Error ? error.message : String(error));
  }
}

function elementsOf(nodes: readonly ParsedNode[]): XmlElement[] {
  const elements: XmlElement[] = [];
  for (const node of nodes) {
    for (const name in node) {
      const children = node[name];
      if (name === attributesKey || name === textKey || !Array.isArray(children)) continue;
      const attributes = (node[attributesKey] as Attributes | undefined) ?? noAttributes;
      elements.push({ name, attributes, children: children as readonly ParsedNode[] });
    }
  }
  return elements;
}

function joinedText(nodes: readonly ParsedNode[]): string {
  let joined = '';
  for (const node of nodes) {
    const text = node[textKey];
    if (typeof text === 'string') joined += text;
    else for (const child of elementsOf([node])) joined += joinedText(child.children);
  }
  return joined;
}
