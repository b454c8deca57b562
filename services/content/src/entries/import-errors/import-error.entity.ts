import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The source of an entry that an import could not convert or save (contract 6, `_importError`). */
export interface ImportErrorDetails {
  message: string;
  code: string;
  legacyId: string;
  postType: string;
  /** The unconverted body, excerpt and meta values of the source. */
  content: string;
  excerpt: string;
  meta: Record<string, unknown>;
  /** Time of the failure, ISO 8601. */
  at: string;
}

/** The failure of the import of an entry, which is a draft until a user completes it. */
@Entity('import_errors')
export class ImportError {
  @PrimaryColumn('text', { name: 'entry_id', primaryKeyConstraintName: 'import_errors_pkey' })
  entryId!: string;

  @Column('json')
  error!: ImportErrorDetails;
}
