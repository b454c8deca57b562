import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A place of the site for widgets (contract 6, WidgetArea). */
@Entity('widget_areas')
export class WidgetArea {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'widget_areas_pkey' })
  id!: string;

  @Index('widget_areas_name', { unique: true })
  @Column('text')
  name!: string;

  @Column('text')
  label!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** Also set by changes of the area's widgets. */
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
