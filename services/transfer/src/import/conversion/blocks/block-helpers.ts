import type { ChildNode } from 'domhandler';
import type { SourceBlock } from '../block-tree.js';
import type { Conversion } from '../conversion-context.js';
import { convertFragment, finishFragment, parseFragment } from '../html/convert-fragment.js';
import type { Flow } from '../html/flow.js';
import { Fragment, type Insert, type Place } from '../html/fragment.js';
import { htmlBlock, type Block } from '../portable-text.js';

/** Converts one kind of block of the source. */
export type BlockConverter = (block: SourceBlock, helpers: BlockHelpers) => Block[];

/** Converters by the name of their block, with namespace. */
export type BlockConverters = ReadonlyMap<string, BlockConverter>;

/** Blocks of the source that are deeper keep their source. */
const maxBlockDepth = 50;

/** Columns and covers that are deeper have their content in place: rich text is read to a limited depth. */
const maxContainerDepth = 6;

/** What converters of blocks use. */
export class BlockHelpers {
  constructor(
    readonly conversion: Conversion,
    /** Where the block is converted to. */
    readonly place: Place,
    private readonly block: SourceBlock,
    private readonly convert: (block: SourceBlock, place: Place) => Block[],
  ) {}

  /** The blocks of all HTML and all inner blocks, in their order. */
  content(place: Partial<Place> = {}): Block[] {
    return convertFragment(this.fragment(this.block.parts), { ...this.place, ...place }, this.conversion);
  }

  /**
   * The parsed HTML, in which comments represent inner blocks, and a flow that converts nodes of it.
   * @returns `finish`, which returns the blocks pushed to the flow and the inner blocks that it did not meet
   */
  parse(place: Partial<Place> = {}): { nodes: ChildNode[]; flow: Flow; finish: () => Block[] } {
    const fragment = this.fragment(this.block.parts);
    const { nodes, flow } = parseFragment(fragment, { ...this.place, ...place }, this.conversion);
    return { nodes, flow, finish: () => finishFragment(flow) };
  }

  /** The blocks of one inner block. */
  convertInner(block: SourceBlock, place: Partial<Place> = {}): Block[] {
    return this.convert(block, this.innerPlace({ ...this.place, ...place }));
  }

  /** The blocks of HTML and inner blocks, which are some of the parts of this block. */
  convertParts(parts: readonly (string | SourceBlock)[]): Block[] {
    const hasContent = parts.some((part) => typeof part !== 'string' || part.trim() !== '');
    return hasContent ? convertFragment(this.fragment(parts), this.place, this.conversion) : [];
  }

  /** The place of the content of a container; undefined where containers are too deep. */
  get containerPlace(): Place | undefined {
    const containerDepth = this.place.containerDepth + 1;
    if (containerDepth > maxContainerDepth) return undefined;
    const { blockDepth } = this.place;
    return { style: 'normal', isClassic: false, blockDepth, containerDepth };
  }

  private fragment(parts: readonly (string | SourceBlock)[]): Fragment {
    return Fragment.of(parts.map((part) => (typeof part === 'string' ? part : this.insertOf(part))));
  }

  private insertOf(block: SourceBlock): Insert {
    return {
      source: block.source,
      convert: (place) => this.convert(block, this.innerPlace(place)),
    };
  }

  /** Properties of a heading or an image are not those of blocks inside. */
  private innerPlace(place: Place): Place {
    const { style, headingStyle, blockDepth } = place;
    return {
      ...place,
      style: style === headingStyle ? 'normal' : style,
      headingStyle: undefined,
      image: undefined,
      isClassic: false,
      blockDepth: blockDepth + 1,
    };
  }
}

/** Converts a block of the source with the converter of its name. */
export function convertBlock(
  block: SourceBlock,
  place: Place,
  conversion: Conversion,
  converterOf: (name: string) => BlockConverter,
): Block[] {
  if (place.blockDepth > maxBlockDepth) return [htmlBlock(block.source, { name: block.name })];
  const helpers = new BlockHelpers(conversion, place, block, (inner, at) =>
    convertBlock(inner, at, conversion, converterOf),
  );
  return converterOf(block.name)(block, helpers);
}
