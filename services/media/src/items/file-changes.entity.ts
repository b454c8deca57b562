import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: how often files that items showed have been replaced or deleted. */
@Entity('media_file_changes')
export class MediaFileChanges {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'media_file_changes_pkey' })
  id!: string;

  @Column('bigint')
  count!: number;
}
