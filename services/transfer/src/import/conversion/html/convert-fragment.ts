import type { ChildNode } from 'domhandler';
import type { Conversion } from '../conversion-context.js';
import type { Block } from '../portable-text.js';
import { Flow } from './flow.js';
import type { Fragment, Place } from './fragment.js';
import { htmlElements } from './html-elements.js';
import { maxElementDepth, parseHtml } from './html-tree.js';

/** Fragments inside many elements keep some structure of their own. */
const minElementDepth = 8;

/** A parsed fragment, for converters that look for certain elements. */
export interface ParsedFragment {
  nodes: ChildNode[];
  flow: Flow;
}

/** Parses a fragment. The depth of elements is limited for all fragments inside each other. */
export function parseFragment(fragment: Fragment, place: Place, conversion: Conversion): ParsedFragment {
  const maxDepth = Math.max(maxElementDepth - conversion.elementDepth, minElementDepth);
  return {
    nodes: parseHtml(fragment.html, maxDepth),
    flow: new Flow(conversion, fragment, htmlElements, place),
  };
}

/** Converts all of a fragment, also the parts that are not found in its HTML. */
export function convertFragment(fragment: Fragment, place: Place, conversion: Conversion): Block[] {
  const { nodes, flow } = parseFragment(fragment, place, conversion);
  flow.walk(nodes);
  return finishFragment(flow);
}

/** Ends the flow of a fragment with the parts that are not found in its HTML. */
export function finishFragment(flow: Flow): Block[] {
  for (const insert of flow.fragment.takeUnused()) flow.push(insert.convert(flow.place));
  return flow.finish();
}
