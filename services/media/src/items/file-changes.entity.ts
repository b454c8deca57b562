import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row with the number of replaced and deleted files of ready items. */
@Entity('media_file_changes')
export class MediaFileChanges {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_file_changes_pkey' })
  id!: string;

  @Column('bigint')
  count!: number;
}
