import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { WidgetArea } from './widget-area.entity.js';

export const widgetTypes = ['content', 'menu', 'component'] as const;
export type WidgetType = (typeof widgetTypes)[number];

/** One widget of an area. Properties that do not belong to its type are stored and ignored (contract 20). */
@Entity('widgets')
@Index('widgets_area_id_sort_order', ['areaId', 'sortOrder'])
export class Widget {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'widgets_pkey' })
  id!: string;

  @Column('text', { name: 'area_id' })
  areaId!: string;

  @ManyToOne(() => WidgetArea, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'area_id', foreignKeyConstraintName: 'widgets_area_id_fkey' })
  area?: Relation<WidgetArea>;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  @Column('text')
  type!: WidgetType;

  @Column('text', { nullable: true })
  title!: string | null;

  @Column('json', { nullable: true })
  content!: Record<string, unknown>[] | null;

  /** A name, no foreign key: the menu may be created later, or deleted. */
  @Column('text', { name: 'menu_name', nullable: true })
  menuName!: string | null;

  @Column('text', { name: 'component_id', nullable: true })
  componentId!: string | null;

  @Column('json', { name: 'component_props', nullable: true })
  componentProps!: Record<string, unknown> | null;
}
