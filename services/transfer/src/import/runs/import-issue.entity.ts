import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Import } from './import.entity.js';

/** A warning or a failure of an import. The first ones of each severity are stored; all are counted. */
@Entity('import_issues')
export class ImportIssue {
  @PrimaryColumn('text', { name: 'import_id', primaryKeyConstraintName: 'import_issues_pkey' })
  importId!: string;

  @ManyToOne(() => Import, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'import_issues_import_id_fkey' })
  import?: Relation<Import>;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'import_issues_pkey' })
  severity!: 'warning' | 'error';

  /** Its place among the issues of its severity. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'import_issues_pkey' })
  number!: number;

  @Column('text')
  code!: string;

  @Column('text')
  message!: string;

  @Column('text', { nullable: true })
  title!: string | null;

  @Column('text', { name: 'source_type', nullable: true })
  sourceType!: string | null;

  @Column('text', { name: 'source_id', nullable: true })
  sourceId!: string | null;

  @Column('text', { nullable: true })
  collection!: string | null;

  @Column('text', { name: 'entry_id', nullable: true })
  entryId!: string | null;

  @Column('boolean', { name: 'saved_as_draft' })
  savedAsDraft!: boolean;
}
