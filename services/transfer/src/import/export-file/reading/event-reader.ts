import { ExportFileError } from '../export-file-error.js';
import { ElementFields, resolvedNameOf } from './element-fields.js';
import type { ChannelElement, ExportPart } from './element-scanner.js';
import { channelTexts, exportAuthor, termReaders, type ExportChannel } from './export-channel.js';
import { uriOf, withDeclarations, type Namespaces } from './namespaces.js';
import { parseItem } from './parse-item.js';
import type { ExportEvent, ItemPosition } from './export-events.js';
import { MalformedElementError, parseElement, textOf, type XmlElement } from './xml-element.js';

const versionPattern = /^\d+\.\d+$/;

/** Turns the parts of one file into events. */
export class EventReader {
  private namespaces: Namespaces = {};
  private readonly texts: Omit<ExportChannel, 'namespaces'> = {
    version: '',
    title: '',
    link: '',
    description: '',
    language: '',
    baseSiteUrl: '',
    baseBlogUrl: '',
  };
  /** The line of `wp:wxr_version`. */
  private versionLine: number | undefined;
  private isChannelSent = false;

  /** @throws ExportFileError */
  *eventsOf(part: ExportPart): Generator<ExportEvent> {
    if (part.kind === 'container') this.enter(part.text, part.line);
    else if (part.name === 'item') {
      yield* this.channelOnce(part.line);
      yield this.itemEvent(part);
    } else yield* this.declaration(part);
  }

  /**
   * The events that are due at the end of the file: the channel, if there was no item.
   * @throws ExportFileError
   */
  *finish(): Generator<ExportEvent> {
    yield* this.channelOnce();
  }

  private enter(tag: string, line: number): void {
    const element = this.readElement(`${tag.slice(0, -1)}/>`, line);
    this.namespaces = withDeclarations(element.attributes, this.namespaces);
  }

  private *channelOnce(line?: number): Generator<ExportEvent> {
    if (this.isChannelSent) return;
    const { version } = this.texts;
    if (version === '')
      throw new ExportFileError('the file is not an export: wp:wxr_version is missing', line);
    if (!versionPattern.test(version)) {
      throw new ExportFileError(
        'the file is not an export: wp:wxr_version is not a version',
        this.versionLine,
      );
    }
    this.isChannelSent = true;
    yield { type: 'channel', channel: { ...this.texts, namespaces: this.namespaces } };
  }

  private itemEvent(part: ChannelElement): ExportEvent {
    const { offset, length, line, text, fault } = part;
    const position: ItemPosition = { offset, length, line };
    if (text === null)
      return { type: 'broken-item', reason: fault ?? 'the item cannot be read', ...position };
    try {
      return { type: 'item', item: this.atLine(line, () => parseItem(text, this.namespaces)), ...position };
    } catch (error) {
      if (!(error instanceof MalformedElementError)) throw error;
      return { type: 'broken-item', reason: error.reason, ...position };
    }
  }

  private *declaration(part: ChannelElement): Generator<ExportEvent> {
    const element = this.readElement(part.text ?? '', part.line);
    const name = resolvedNameOf(element, this.namespaces, uriOf('', this.namespaces) ?? '');
    if (name === null) return;
    const channelText = channelTexts.get(name);
    if (channelText !== undefined) {
      this.texts[channelText] ||= textOf(element).trim();
      if (channelText === 'version') this.versionLine ??= part.line;
      return;
    }
    if (name === 'wp:author') {
      yield { type: 'author', author: exportAuthor(new ElementFields(element, this.namespaces)) };
    }
    const readTerm = termReaders.get(name);
    if (readTerm !== undefined)
      yield { type: 'term', term: readTerm(new ElementFields(element, this.namespaces)) };
  }

  private readElement(text: string, line: number): XmlElement {
    try {
      return this.atLine(line, () => parseElement(text).element);
    } catch (error) {
      if (!(error instanceof MalformedElementError)) throw error;
      throw new ExportFileError(error.reason, line);
    }
  }

  /** Adds the line to the fatal fault of an element. */
  private atLine<Result>(line: number, read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw error instanceof ExportFileError ? new ExportFileError(error.reason, error.line ?? line) : error;
    }
  }
}
