import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { asApiError } from '../../../shared/api/apiError';
import { api as generated, type PublicDrawingView } from '../../api/generatedDrawings';
import type { AnyProof, OwnLeaf } from './verification/proof';

type Result = 'winningEntryNumber' | 'winnerLast4' | 'totalParticipants' | 'totalEntries';

/** Until it is drawn, a drawing has no result. One of version 1 has no status: it was always drawn. */
export type Drawing = Omit<
  PublicDrawingView,
  Result | 'status' | 'reason' | 'beacon' | 'sealedAt'
> & {
  [Key in Result]?: PublicDrawingView[Key] | null;
} & {
  status?: 'announced' | 'sealed' | 'drawn' | 'void';
  /** Why there is another drawing in its period. */
  reason?: string | null;
  voidReason?: string | null;
  sealedAt?: string | null;
  beacon?: { expectedAt?: string | null; waitingSince?: string | null } | null;
};

interface DrawingList {
  drawings: Drawing[];
  /** Of all pages: it travels beside the rows, as a header. */
  totalCount: number;
}

type Definitions = DefinitionsFromApi<typeof generated>;
type Overridden = 'listDrawings' | 'getDrawingProof' | 'getOwnLeaf';
type CountedDefinitions = Omit<Definitions, Overridden> & {
  listDrawings: OverrideResultType<Definitions['listDrawings'], DrawingList>;
  getDrawingProof: OverrideResultType<Definitions['getDrawingProof'], AnyProof>;
  getOwnLeaf: OverrideResultType<Definitions['getOwnLeaf'], OwnLeaf>;
};

export const {
  useGetCommitmentQuery,
  useListDrawingsQuery,
  useGetDrawingProofQuery,
  useGetOwnLeafQuery,
} = generated.enhanceEndpoints<never, CountedDefinitions>({
  endpoints: {
    listDrawings: {
      transformResponse: (drawings: Drawing[], response: Response | undefined) => ({
        drawings,
        totalCount: Number(response?.headers.get('X-Total-Count') ?? drawings.length),
      }),
    },
  },
});

export { entrantsPath, proofPath } from './paths';

export const isNotFound = (error: unknown): boolean =>
  error !== undefined && asApiError(error).status === 404;
