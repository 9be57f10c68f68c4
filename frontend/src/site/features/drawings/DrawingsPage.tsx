import { AllDrawings } from './AllDrawings';
import { OneDrawing, UnknownDrawing } from './OneDrawing';

export interface DrawingsPageProps {
  /** As the address names it; without it all are shown. */
  drawingId?: string | undefined;
}

export function DrawingsPage({ drawingId }: DrawingsPageProps) {
  if (drawingId === undefined) return <AllDrawings />;
  return isId(drawingId) ? <OneDrawing id={Number(drawingId)} /> : <UnknownDrawing />;
}

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
