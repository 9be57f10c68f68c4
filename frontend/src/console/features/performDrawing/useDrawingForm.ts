import { useState } from 'react';
import type { FieldErrors } from 'react-hook-form';
import { usePerformDrawingMutation, type DrawingView, type LandingPageView } from '../../api/admin';
import type { ApiError } from '../../../shared/api/apiError';
import { isUnknown } from '../../../shared/api/isUnknown';
import { useAppForm } from '../../../shared/form/useAppForm';
import { newEventId } from '../../../shared/lib/eventId';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useAct } from '../../lib/useAct';

interface Values {
  landingPage: LandingPageView | '';
}

const loadSchema = () =>
  import(/* webpackChunkName: "drawing-rules" */ './schema').then((file) => file.drawingSchema);

interface Options {
  /** The figures should be up to date when staff decide. */
  onAsk: () => void;
  onDrawn: (drawing: DrawingView) => void;
}

/** Asks for confirmation of the chosen raffle, then draws once. */
export function useDrawingForm({ onAsk, onDrawn }: Options) {
  // One for each opened dialog: pressing again, or trying again in it, cannot draw a second winner.
  const [idempotencyKey, setIdempotencyKey] = useState<string>();
  const [perform] = usePerformDrawingMutation();
  const toast = useToast();
  const drawing = useAct(explainFailure);

  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { landingPage: '' },
    send: ask,
    explain: ({ sentence }) => sentence, // the rules could not be loaded: nothing is sent yet
    onInvalid: tellMissing,
  });

  function ask() {
    drawing.forget();
    setIdempotencyKey(newEventId());
    onAsk();
  }

  function tellMissing({ landingPage }: FieldErrors<Values>) {
    toast({ title: 'Select Raffle', description: landingPage?.message ?? '', tone: 'bad' });
  }

  async function draw(landingPage: LandingPageView, key: string) {
    const drawn = await perform({
      performDrawingBody: { landingPage },
      'Idempotency-Key': key,
    }).unwrap();
    setIdempotencyKey(undefined);
    form.reset();
    onDrawn(drawn);
  }

  function explainFailure(error: ApiError): string {
    const { sentence, serverSentence = 'Failed to perform drawing' } = error;
    toast({ title: 'Drawing Failed', description: serverSentence, tone: 'bad' });
    return isUnknown(error) ? `${sentence} ${SAFE}` : sentence;
  }

  return {
    ...form,
    isAsking: idempotencyKey !== undefined,
    isDrawing: drawing.pending,
    drawProblem: drawing.problem,
    draw: (landingPage: LandingPageView) => {
      if (idempotencyKey !== undefined) drawing.run(() => draw(landingPage, idempotencyKey));
    },
    reconsider: () => setIdempotencyKey(undefined),
  };
}

const SAFE = 'It is safe to try again: nobody is drawn twice.';
