import type { FieldType } from '@quire/content-model';
import { fieldSlugOf, isInternalKey } from './meta-keys.js';
import { booleanOf, hasDateForm, isCompactDate, numberOf, scalarText, structureOf } from './value-forms.js';

export type SuggestedType = 'string' | 'number' | 'boolean' | 'date' | 'json';

/** A meta key as the analysis lists it (1.2). */
export interface CustomField {
  key: string;
  /** Occurrences of the key, with empty values. */
  count: number;
  /** The first non-empty values, at most three, each cut at 100 characters. */
  samples: string[];
  suggestedField: string;
  suggestedType: SuggestedType;
  isInternal: boolean;
}

const maxSamples = 3;
const maxSampleLength = 100;
const fieldTypes: Readonly<Record<SuggestedType, FieldType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  date: 'datetime',
  json: 'json',
};

/**
 * Finds the type that every value of a meta key has (1.2, 2.6). One value decides nothing: `0` and `1` may be truth
 * values or numbers. Memory does not depend on the number of values.
 */
export class MetaTypeJudge {
  private count = 0;
  private readonly samples: string[] = [];
  private isRepeated = false;
  private hasStructure = false;
  private hasTrue = false;
  private readonly fits = { number: true, boolean: true, date: true, compactDate: true };

  constructor(readonly key: string) {}

  /** Takes the values that one item has under the key. */
  add(values: readonly string[]): void {
    this.count += values.length;
    const filled = values.filter((value) => value.trim() !== '');
    this.isRepeated ||= filled.length > 1;
    for (const value of filled) this.addValue(value);
  }

  result(): CustomField {
    return {
      key: this.key,
      count: this.count,
      samples: [...this.samples],
      suggestedField: fieldSlugOf(this.key),
      suggestedType: this.suggestedType(),
      isInternal: isInternalKey(this.key),
    };
  }

  private addValue(value: string): void {
    if (this.samples.length < maxSamples)
      this.samples.push([...value.slice(0, 2 * maxSampleLength)].slice(0, maxSampleLength).join(''));
    this.hasStructure ||= structureOf(value) !== null;
    const text = scalarText(value).trim();
    const truth = booleanOf(text);
    this.hasTrue ||= truth === true || text.toLowerCase() === 'false';
    this.fits.boolean &&= truth !== null;
    this.fits.number &&= numberOf(text) !== null;
    this.fits.date &&= hasDateForm(text);
    this.fits.compactDate &&= isCompactDate(text);
  }

  private suggestedType(): SuggestedType {
    if (this.isRepeated || this.hasStructure) return 'json';
    if (this.samples.length === 0) return 'string';
    const { number, boolean, date, compactDate } = this.fits;
    if (/_id$/.test(this.key)) return 'string';
    if (/_(date|time)$/.test(this.key) && (date || compactDate)) return 'date';
    if (/_(count|number)$/.test(this.key) && number) return 'number';
    // A key that is never on is rather a counter than a switch.
    if (boolean && (this.hasTrue || !number)) return 'boolean';
    if (number) return 'number';
    return date ? 'date' : 'string';
  }
}

/** The field type of a suggested type. */
export function fieldTypeOf(type: SuggestedType): FieldType {
  return fieldTypes[type];
}
