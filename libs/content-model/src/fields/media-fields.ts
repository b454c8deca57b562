import { isAllowedUrl, isHttpUrl } from '@quire/values';
import {
  isPlainObject,
  type FieldValidator,
  type FieldValidatorFactory,
  type ValidationContext,
  type MediaUse,
} from './validation-context.js';
import { validationMessages, type IssueReason } from './issues.js';
import { isStorableJson } from './json-field.js';

/** The provider of a value without a provider: the site's own media library. */
export const localProvider = 'local';
/** The provider of media at a URL outside any library; its `id` is empty. */
const externalProvider = 'external';

type KeyKind = 'string' | 'number' | 'object' | 'link';

const imageKeys: Readonly<Record<string, KeyKind>> = {
  src: 'link',
  alt: 'string',
  width: 'number',
  height: 'number',
  filename: 'string',
  mimeType: 'string',
  blurhash: 'string',
  dominantColor: 'string',
  previewUrl: 'string',
  meta: 'object',
};

const fileKeys: Readonly<Record<string, KeyKind>> = {
  filename: 'string',
  mimeType: 'string',
  url: 'link',
  src: 'link',
  size: 'number',
  meta: 'object',
};

interface MediaKind {
  type: MediaUse['type'];
  keys: Readonly<Record<string, KeyKind>>;
  allowedMimeTypes: readonly string[] | null;
}

function mediaKind(
  type: MediaUse['type'],
  keys: MediaKind['keys'],
  allowed: readonly string[] | undefined,
): MediaKind {
  return { type, keys, allowedMimeTypes: allowed?.map((mime) => mime.toLowerCase()) ?? null };
}

/** `image`: an object, or a bare http(s) URL or media id, which becomes one. Unknown keys are dropped. */
export const imageValidator: FieldValidatorFactory = (field): FieldValidator => {
  const kind = mediaKind('image', imageKeys, field.validation?.allowedMimeTypes);
  return (value, path, context) => {
    const sent = imageObject(value);
    if (sent === null) {
      context.addIssue(path, validationMessages.type('object'));
      return undefined;
    }
    if (!isStorableJson(sent, path, context)) return undefined;
    const image = checkMedia(kind, sent, path, context);
    if (image['provider'] === localProvider) delete image['src']; // read responses add it for library items
    const dark = Object.hasOwn(sent, 'darkVariant') ? sent['darkVariant'] : null;
    if (dark !== null && dark !== undefined)
      image['darkVariant'] = checkDarkVariant(kind, dark, `${path}.darkVariant`, context);
    return image;
  };
};

/** `file`: an object with an `id`, stored unchanged except for unknown keys, which are dropped. */
export const fileValidator: FieldValidatorFactory = (field): FieldValidator => {
  const kind = mediaKind('file', fileKeys, field.validation?.allowedMimeTypes);
  return (value, path, context) => {
    if (!isPlainObject(value)) {
      context.addIssue(path, validationMessages.type('object'));
      return undefined;
    }
    return isStorableJson(value, path, context) ? checkMedia(kind, value, path, context) : undefined;
  };
};

/**
 * Checks the MIME type of a media item against the field that uses it.
 * @returns the reason for a mismatch, or null
 */
export function mimeProblem(use: Pick<MediaUse, 'allowedMimeTypes'>, mimeType: string): IssueReason | null {
  if (use.allowedMimeTypes === null || use.allowedMimeTypes.includes(mimeType.toLowerCase())) return null;
  return validationMessages.mime(mimeType);
}

function imageObject(value: unknown): Record<string, unknown> | null {
  if (isPlainObject(value)) return value;
  if (typeof value !== 'string') return null;
  if (isHttpUrl(value)) return { provider: externalProvider, id: '', src: value };
  // Other texts with the characters of a URL are not ids: a later check would fail with a worse message.
  return value === '' || /[/:\s]/u.test(value) ? null : { provider: localProvider, id: value };
}

function checkDarkVariant(
  kind: MediaKind,
  value: unknown,
  path: string,
  context: ValidationContext,
): unknown {
  const sent = imageObject(value);
  if (sent === null) {
    context.addIssue(path, validationMessages.type('object'));
    return undefined;
  }
  if (Object.hasOwn(sent, 'darkVariant') && sent['darkVariant'] !== null) {
    context.addIssue(`${path}.darkVariant`, validationMessages.unknownField('darkVariant'));
  }
  const image = checkMedia(kind, sent, path, context);
  if (image['provider'] === localProvider) delete image['src'];
  return image;
}

function checkMedia(
  kind: MediaKind,
  sent: Record<string, unknown>,
  path: string,
  context: ValidationContext,
): Record<string, unknown> {
  const sentProvider = Object.hasOwn(sent, 'provider') ? (sent['provider'] ?? localProvider) : localProvider;
  if (typeof sentProvider !== 'string')
    context.addIssue(`${path}.provider`, validationMessages.type('string'));
  const provider = sentProvider === '' ? localProvider : sentProvider;
  const isExternal = provider === externalProvider;

  const value: Record<string, unknown> = { provider, id: isExternal ? '' : checkId(sent, path, context) };
  for (const [key, keyKind] of Object.entries(kind.keys)) {
    // Editors send an empty text for an unknown address.
    if (!Object.hasOwn(sent, key) || isUnset(keyKind, sent[key])) continue;
    const problem = keyProblem(keyKind, sent[key]);
    if (problem === null) value[key] = sent[key];
    else context.addIssue(`${path}.${key}`, problem);
  }
  if (isExternal) checkAddress(kind, value, path, context);

  // For library items the type in the library counts and is stored; for other providers only the submitted type is
  // known.
  const { mimeType } = value;
  const isTypeKnown = provider !== localProvider || context.mode === 'publish';
  const problem = isTypeKnown && typeof mimeType === 'string' ? mimeProblem(kind, mimeType) : null;
  if (problem !== null) context.addIssue(path, problem);
  context.media.push({ path, type: kind.type, value, allowedMimeTypes: kind.allowedMimeTypes });
  return value;
}

function isUnset(kind: KeyKind, value: unknown): boolean {
  return value === null || value === undefined || (kind === 'link' && value === '');
}

function checkId(sent: Record<string, unknown>, path: string, context: ValidationContext): unknown {
  const id = Object.hasOwn(sent, 'id') ? sent['id'] : undefined;
  if (id === undefined || id === null || id === '')
    context.addIssue(`${path}.id`, validationMessages.required());
  else if (typeof id !== 'string') context.addIssue(`${path}.id`, validationMessages.type('string'));
  return id;
}

/** External media consists of its address only. */
function checkAddress(
  kind: MediaKind,
  value: Record<string, unknown>,
  path: string,
  context: ValidationContext,
): void {
  const key = kind.type === 'file' && value['url'] !== undefined ? 'url' : 'src';
  if (value[key] === undefined)
    context.addIssue(`${path}.${kind.type === 'file' ? 'url' : 'src'}`, validationMessages.required());
  else if (!isHttpUrl(String(value[key]))) context.addIssue(`${path}.${key}`, validationMessages.httpUrl());
}

function keyProblem(kind: KeyKind, value: unknown): IssueReason | null {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? null : validationMessages.type('string');
    case 'number':
      if (typeof value !== 'number') return validationMessages.type('number');
      return value >= 0 ? null : validationMessages.min(0);
    case 'object':
      return isPlainObject(value) ? null : validationMessages.type('object');
    case 'link':
      // Pages render these as links and sources: an unsafe scheme must not come in through a media value.
      if (typeof value !== 'string') return validationMessages.type('string');
      return isAllowedUrl(value) ? null : validationMessages.url();
  }
}
