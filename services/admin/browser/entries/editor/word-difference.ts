import { diffSequences } from '../document/sequence-diff.js';

/** A part of a text beside another one: in both, or only in this one. */
export interface TextPart {
  text: string;
  isOwn: boolean;
}

const words = /\s+|[^\s]+/gu;

/** The words of a text, with those marked that another text does not have in this place. */
export function wordDifference(text: string, other: string): TextPart[] {
  const [own, rest] = [text.match(words) ?? [], other.match(words) ?? []];
  const parts: TextPart[] = [];
  let index = 0;
  for (const { from, to } of diffSequences(rest, own)) {
    parts.push({ text: own.slice(index, from).join(''), isOwn: false });
    parts.push({ text: own.slice(from, to).join(''), isOwn: true });
    index = to;
  }
  parts.push({ text: own.slice(index).join(''), isOwn: false });
  return parts.filter((part) => part.text !== '');
}
