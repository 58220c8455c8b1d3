// The terminals of the grammar: words as the parser of gamedsl reads them, the ends of lines, and indentation. It follows
// gamedsl/language/syntax/parse/ (scanner.py, parse_lines.py, feed.py); tests/editor/test_tree_sitter.py compares. The words come
// from the grammar (words.h).
#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <stddef.h>
#include <string.h>

#include "words.h"

#define DEEPEST 200 // levels of indentation, and what is counted, fit into a byte
#define LONGEST 300 // characters that a word looks ahead
#define MOST_AHEAD 400000 // characters in which the end of a bracket is looked for
#define LONGEST_WORD 16 // longer ones are names

enum { FINISHED, UNFINISHED, WHAT, WHAT_IT }; // how the logical line ends up to now

// What the end of a line depends on, and all that is kept between two tokens.
typedef struct {
  uint8_t next; // indentation of the next logical line, known where the line before it ends
  uint8_t head; // indentation of the logical line
  uint8_t begun; // it has words
  uint8_t depth; // its open brackets
  uint8_t ifs; // its `if`s that wait for `else`
  uint8_t last; // see above
  uint8_t ended; // the end of its text was passed, and not yet reported
  uint8_t count;
  uint8_t levels[DEEPEST]; // indentations of the open blocks
} Layout;

typedef struct {
  TSLexer *lexer;
  const bool *valid;
  Layout *layout;
  unsigned indent; // of the text before the word, if it begins a line
  int32_t text[LONGEST];
  unsigned length; // of what was read of the line, from the word on
} Scan;

// ------------------------------------------------------------------------------------------------------------- characters

static inline bool is_space(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == 0xfeff; }
static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static inline bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static inline bool is_word(int32_t c) { return is_letter(c) || is_digit(c); }
static inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned wider(unsigned indent, int32_t c) {
  return c == '\t' ? indent - indent % 4 + 4 : c == ' ' ? indent + 1 : indent;
}

static inline bool at_end(Scan *scan) { return scan->lexer->eof(scan->lexer); }
static inline bool at_line_end(Scan *scan) { return at_end(scan) || scan->lexer->lookahead == '\n'; }
static inline void pass(Scan *scan) { scan->lexer->advance(scan->lexer, false); }
static inline void mark(Scan *scan) { scan->lexer->mark_end(scan->lexer); }

// The character at a place of the word or after it; 0 where the line ends.
static int32_t character(Scan *scan, unsigned place) {
  while (scan->length <= place && scan->length < LONGEST) {
    if (at_end(scan) || (scan->lexer->lookahead == '\n' && !scan->layout->depth)) return 0;
    scan->text[scan->length++] = scan->lexer->lookahead;
    pass(scan);
  }
  return place < scan->length ? scan->text[place] : 0;
}

static const Word *word_of(const char *text) {
  size_t low = 0, high = sizeof WORDS / sizeof *WORDS;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(text, WORDS[middle].text);
    if (!order) return &WORDS[middle];
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}

static bool is_kind(const char *text, uint8_t kind) {
  const Word *word = word_of(text);
  return word && (word->kinds & kind);
}

// --------------------------------------------------------------------------------------- what follows a word (words.h)

static bool in_set(const Set *set, int32_t c) {
  bool found = false;
  for (const char *range = set->ranges; *range; range += 2) found |= c >= range[0] && c <= range[1];
  return c && found != set->negated;
}

// Whether a pattern matches at a place, and where it ends.
static bool matches(Scan *scan, const Step *steps, unsigned step, unsigned place, unsigned *end) {
  for (;;) {
    const Step *now = &steps[step];
    switch (now->kind) {
      case ONE:
        if (!in_set(&SETS[now->a], character(scan, place))) return false;
        place += 1;
        step += 1;
        break;
      case EITHER:
        if (matches(scan, steps, now->a, place, end)) return true;
        step = now->b;
        break;
      case JUMP: step = now->a; break;
      case EDGE:
        if ((place && is_word(character(scan, place - 1))) == is_word(character(scan, place))) return false;
        step += 1;
        break;
      case AHEAD:
      case NOT_AHEAD: {
        unsigned any;
        if (matches(scan, steps, step + 1, place, &any) != (now->kind == AHEAD)) return false;
        step = now->a;
        break;
      }
      default: *end = place; return true;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------- lines

// The first two words of the next line that has any, and its indentation.
typedef struct {
  bool found;
  unsigned indent;
  char first[LONGEST_WORD + 1], second[LONGEST_WORD + 1];
} Line;

static void read_piece(Scan *scan, char *piece) {
  unsigned length = 0;
  if (!at_line_end(scan) && !is_word(scan->lexer->lookahead)) {
    int32_t c = scan->lexer->lookahead;
    piece[length++] = c < 128 ? (char)c : '?';
    pass(scan);
  } else {
    for (; !at_end(scan) && is_word(scan->lexer->lookahead); pass(scan)) {
      if (length < LONGEST_WORD) piece[length++] = (char)scan->lexer->lookahead;
      else piece[0] = '_'; // no word of the language is so long
    }
  }
  piece[length] = 0;
}

// Reads on from the beginning of a line.
static Line next_line(Scan *scan) {
  Line line = {0};
  while (!at_end(scan)) {
    unsigned indent = 0;
    for (; !at_end(scan) && is_space(scan->lexer->lookahead); pass(scan)) indent = wider(indent, scan->lexer->lookahead);
    if (!at_line_end(scan) && scan->lexer->lookahead != '#' && scan->lexer->lookahead != '@') {
      line.found = true;
      line.indent = least(indent, 255);
      read_piece(scan, line.first);
      while (!at_end(scan) && is_space(scan->lexer->lookahead)) pass(scan);
      if (scan->lexer->lookahead != '#' && scan->lexer->lookahead != '@') read_piece(scan, line.second);
      return line;
    }
    while (!at_line_end(scan)) pass(scan); // a comment, or citations
    if (!at_end(scan)) pass(scan);
  }
  return line;
}

// Whether brackets that are open are closed somewhere, from the second word of a line on.
static bool closes(Scan *scan, const Line *line) {
  unsigned depth = scan->layout->depth;
  int32_t c = line->first[0];
  bool is_first = true;
  for (unsigned n = 0; n < MOST_AHEAD;) {
    if (c == '"') {
      for (; !at_line_end(scan) && scan->lexer->lookahead != '"'; pass(scan))
        if (scan->lexer->lookahead == '\\') pass(scan);
    } else if (c == '#') {
      while (!at_line_end(scan)) pass(scan);
    } else if (c == '(' || c == '[' || c == '{') depth += 1;
    else if ((c == ')' || c == ']' || c == '}') && --depth == 0) return true;
    if (is_first) {
      is_first = false;
      c = line->second[0];
      continue;
    }
    if (at_end(scan)) return false;
    c = scan->lexer->lookahead;
    pass(scan);
    n += 1;
  }
  return false;
}

// Whether the logical line goes on with a line of text.
static bool goes_on(Scan *scan, const Line *line) {
  const Layout *layout = scan->layout;
  if (!line->found) return false;
  if (!strcmp(line->first, "and") || !strcmp(line->first, "or")) return true;
  if (!strcmp(line->first, "else") && layout->ifs && line->second[0]) return true;
  if (!layout->depth && layout->last != UNFINISHED) return false;
  if (!is_letter(line->first[0])) return true;
  bool is_level = line->indent <= layout->head;
  bool opens = is_kind(line->first, STARTER);
  if (!layout->depth) return !(is_level && (opens || !strcmp(line->second, ":")));
  bool says = (line->second[0] == '"' || is_word(line->second[0])) && !is_kind(line->second, HARD);
  return !(is_level || (opens && says)) || closes(scan, line);
}

static void begin_line(Layout *layout) { layout->begun = layout->depth = layout->ifs = layout->last = layout->ended = 0; }

// The end of the logical line, before which an expression ends.
static bool end_line(Scan *scan) {
  const bool *valid = scan->valid;
  bool is_lost = valid[T_STRAY];
  scan->layout->ended = !is_lost && valid[T_WHOLE] && !valid[T_NL];
  if (!scan->layout->ended) begin_line(scan->layout);
  scan->lexer->result_symbol = scan->layout->ended ? T_WHOLE : T_NL;
  return true;
}

// At the end of a line of text: of the logical line too, or it goes on.
static bool read_line_end(Scan *scan) {
  if (!at_end(scan)) pass(scan);
  mark(scan);
  Line line = next_line(scan);
  if (goes_on(scan, &line)) {
    scan->lexer->result_symbol = T_SPACE;
    return true;
  }
  scan->layout->next = line.found ? (uint8_t)line.indent : 0;
  return end_line(scan);
}

// What the indentation of the next line says: whether a token is found.
static bool read_indentation(Scan *scan) {
  Layout *layout = scan->layout;
  uint8_t level = layout->count ? layout->levels[layout->count - 1] : 0;
  if (layout->next > level && layout->count < DEEPEST) {
    layout->levels[layout->count++] = layout->next;
    scan->lexer->result_symbol = T_INDENT;
    return true;
  }
  if (layout->next < level) {
    uint8_t around = layout->count > 1 ? layout->levels[layout->count - 2] : 0;
    if (layout->next > around) { // uneven
      layout->levels[layout->count - 1] = layout->next;
      return false;
    }
    layout->count -= 1;
    scan->lexer->result_symbol = T_DEDENT;
    return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------- words

// Whether an expression ends before a token, because the parser cannot use it there.
static bool ends_before(Scan *scan, enum Token token) {
  return scan->valid[T_WHOLE] && !scan->valid[token] && !scan->valid[T_STRAY];
}

// Reports a token, up to where the lexer is or, `marked`, to where it was marked; or that an expression ends before it.
static bool take(Scan *scan, enum Token token, uint8_t last, bool marked) {
  Layout *layout = scan->layout;
  scan->lexer->result_symbol = T_WHOLE; // ends where the word begins
  if (ends_before(scan, token)) return true;
  if (!marked) mark(scan);
  if (!layout->begun) layout->head = (uint8_t)least(scan->indent, 255);
  layout->begun = true;
  layout->last = last;
  if (token == T_LEFT_PAREN || token == T_LEFT_BRACKET || token == T_LEFT_BRACE) layout->depth += layout->depth < 255;
  if (token == T_RIGHT_PAREN || token == T_RIGHT_BRACKET || token == T_RIGHT_BRACE) layout->depth -= layout->depth > 0;
  if (token == T_THEN) layout->ifs += layout->ifs < 255;
  if (token == T_ELSE) layout->ifs -= layout->ifs > 0;
  scan->lexer->result_symbol = (TSSymbol)token;
  return true;
}

// A keyword where the parser can use it; elsewhere the same word is a name.
static enum Token name_token(Scan *scan, const Word *word) {
  const bool *valid = scan->valid;
  if (!word) return T_NAME;
  if ((word->kinds & HARD) || valid[word->token] || !valid[T_NAME]) return word->token;
  return (word->kinds & STARTER) && !scan->layout->begun && !scan->indent ? word->token : T_NAME;
}

static uint8_t last_of(const Layout *layout, const char *text, const Word *word) {
  if (!strcmp(text, "what")) return WHAT;
  if (!strcmp(text, "it") && layout->last == WHAT) return WHAT_IT;
  if (!strcmp(text, "meets") && layout->last == WHAT_IT) return FINISHED;
  if (!strcmp(text, "else") && !layout->begun) return FINISHED;
  return word && (word->kinds & GOES_ON) ? UNFINISHED : FINISHED;
}

static bool read_name(Scan *scan) {
  const bool *valid = scan->valid;
  char text[LONGEST_WORD + 1];
  unsigned length = 0, end;
  for (; !at_end(scan) && is_word(scan->lexer->lookahead); pass(scan)) {
    if (length < LONGEST_WORD) text[length] = (char)scan->lexer->lookahead;
    if (length < LONGEST) scan->text[length] = scan->lexer->lookahead;
    length += 1;
  }
  text[least(length, LONGEST_WORD)] = 0;
  const Word *word = length <= LONGEST_WORD ? word_of(text) : NULL;
  enum Token token = name_token(scan, word);
  uint8_t last = last_of(scan->layout, text, word);
  if (ends_before(scan, token)) return take(scan, token, last, false);
  mark(scan);
  scan->length = least(length, LONGEST);
  for (const Guarded *one = GUARDED; one->steps; one++) {
    if (one->first == text[0] && valid[one->token] && matches(scan, one->steps, 0, 0, &end) && end == length)
      return take(scan, one->token, FINISHED, true);
  }
  return take(scan, token, last, true);
}

static bool read_string(Scan *scan) {
  pass(scan);
  for (; !at_line_end(scan) && scan->lexer->lookahead != '"'; pass(scan)) {
    if (scan->lexer->lookahead != '\\') continue;
    pass(scan);
    if (at_line_end(scan)) break;
  }
  if (!at_line_end(scan)) pass(scan); // otherwise it is not closed, and ends with the line
  return take(scan, T_STRING, FINISHED, false);
}

static bool read_sign(Scan *scan) {
  int32_t first = scan->lexer->lookahead;
  pass(scan);
  for (const Sign *sign = SIGNS; sign->text; sign++) { // the longer ones first
    if (sign->text[0] != first || (sign->text[1] && sign->text[1] != scan->lexer->lookahead)) continue;
    if (sign->text[1]) pass(scan);
    return take(scan, sign->token, sign->goes_on ? UNFINISHED : FINISHED, false);
  }
  return take(scan, T_STRAY, scan->layout->last, false); // the parser passes over it
}

static bool read_citation(Scan *scan) {
  pass(scan);
  int32_t second = at_end(scan) ? 0 : scan->lexer->lookahead;
  if (second == '_' || !is_word(second)) return take(scan, T_STRAY, scan->layout->last, false);
  while (!at_end(scan)) {
    int32_t c = scan->lexer->lookahead;
    if (!is_word(c) && c != '.' && c != '(' && c != ')' && c != '-') break;
    pass(scan);
    if (is_word(c) || c == ')') mark(scan);
  }
  scan->lexer->result_symbol = T_CITATION;
  return true;
}

static bool read_token(Scan *scan) {
  TSLexer *lexer = scan->lexer;
  Layout *layout = scan->layout;
  mark(scan);
  if (layout->ended) return end_line(scan);
  if (!layout->begun && read_indentation(scan)) return true;
  for (; !at_end(scan); lexer->advance(lexer, true)) {
    if (lexer->lookahead == '\n' && !layout->begun) scan->indent = 0;
    else if (is_space(lexer->lookahead)) scan->indent = wider(scan->indent, lexer->lookahead);
    else break;
  }
  mark(scan);
  int32_t c = lexer->lookahead;
  if (at_line_end(scan)) return layout->begun && read_line_end(scan);
  if (is_letter(c)) return read_name(scan);
  if (is_digit(c)) {
    while (!at_end(scan) && is_digit(lexer->lookahead)) pass(scan);
    return take(scan, T_INT, FINISHED, false);
  }
  if (c == '"') return read_string(scan);
  if (c == '@') return read_citation(scan);
  if (c != '#') return read_sign(scan);
  while (!at_line_end(scan)) pass(scan);
  mark(scan);
  lexer->result_symbol = T_COMMENT;
  return true;
}

// ------------------------------------------------------------------------------------------------- the parser's interface

void *tree_sitter_gamedsl_external_scanner_create(void) { return ts_calloc(1, sizeof(Layout)); }

void tree_sitter_gamedsl_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_gamedsl_external_scanner_serialize(void *payload, char *buffer) {
  unsigned size = (unsigned)offsetof(Layout, levels) + ((Layout *)payload)->count;
  memcpy(buffer, payload, size);
  return size;
}

void tree_sitter_gamedsl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Layout));
  if (length) memcpy(payload, buffer, length);
}

bool tree_sitter_gamedsl_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  Scan scan = {.lexer = lexer, .valid = valid_symbols, .layout = payload};
  return read_token(&scan);
}
