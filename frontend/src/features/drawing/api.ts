/** Staff's calls about drawings, as the screen uses them. */
import { admin, totalOf, type LandingPageView } from '../../shared/api/admin';

export interface RaffleFigures {
  landingPage: LandingPageView;
  users: number;
  totalEntries: number;
  averageEntries: number;
}

export interface DrawingRecord {
  id: number;
  landingPage: LandingPageView;
  winnerId: number;
  winnerPhoneNumber: string;
  winningEntryNumber: number;
  totalParticipants: number;
  totalEntries: number;
  drawingMethod: string;
  verificationHash: string;
  createdAt: string;
}

export type HistorySort =
  'createdAt' | 'landingPage' | 'winningEntryNumber' | 'totalParticipants' | 'totalEntries';

export interface HistoryPage {
  limit: number;
  offset: number;
  sort: HistorySort;
  order: 'asc' | 'desc';
}

interface Perform {
  landingPage: LandingPageView;
  idempotencyKey: string;
}

/** The server takes up to 120 s for the greatest raffles. */
const DRAWING_TIMEOUT_MS = 130_000;

const drawing = admin.injectEndpoints({
  endpoints: (build) => ({
    getDrawingStats: build.query<{ landingPageStats: RaffleFigures[] }, void>({
      query: () => ({ url: '/api/admin/drawing/stats' }),
      providesTags: ['DrawingStats'],
    }),
    listDrawingHistory: build.query<{ drawings: DrawingRecord[]; totalCount: number }, HistoryPage>(
      {
        query: (params) => ({ url: '/api/admin/drawing/history', params: { ...params } }),
        providesTags: ['DrawingHistory'],
        transformResponse: (drawings: DrawingRecord[], response) => ({
          drawings,
          totalCount: totalOf(response, drawings),
        }),
      },
    ),
    performDrawing: build.mutation<DrawingRecord, Perform>({
      query: ({ landingPage, idempotencyKey }) => ({
        url: '/api/admin/drawing/perform',
        method: 'POST',
        body: { landingPage },
        headers: { 'Idempotency-Key': idempotencyKey },
        timeoutMs: DRAWING_TIMEOUT_MS,
      }),
      // A failed call too: an answer that was lost on its way may have drawn somebody.
      invalidatesTags: ['DrawingStats', 'DrawingHistory', 'AuditLog'],
    }),
    /** A mutation: each press asks again, and nothing is cached. */
    downloadDrawings: build.mutation<string, void>({
      query: () => ({ url: '/api/admin/drawing/history/export', answers: 'text' }),
    }),
  }),
});

export const {
  useGetDrawingStatsQuery,
  useListDrawingHistoryQuery,
  usePerformDrawingMutation,
  useDownloadDrawingsMutation,
} = drawing;
