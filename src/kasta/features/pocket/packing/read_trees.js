// Has Brython import modules from syntax trees, which were made when they were packed: reading text takes it longest.

const FIRST = 35; // characters from here on are numbers, but for the backslash
const BACKSLASH = 92;
const LINE = { lineno: 1, col_offset: 0, end_lineno: 1, end_col_offset: 0 }; // nobody reads its tracebacks
const LINES = /^\s*\$B\.set_lineno\(frame, 1\)\n/gm;

/** A name or a constant, as Brython's trees have it. */
function wordOf(word, { builtins, fast_float: float }) {
  if (word === null || typeof word !== 'object') {
    return word;
  }
  return 'float' in word ? float(Number(word.float)) : builtins.None;
}

/** What makes a node of values, which come in the order of its fields. */
function makerOf([kind, ...fields], ast) {
  const order = ast[kind]._fields.map(field => fields.indexOf(field));
  const Kind = ast[kind];
  return {
    length: fields.length,
    make: values => Object.assign(new Kind(...order.map(place => values[place] ?? undefined)), LINE),
  };
}

/** The tree of a text. */
function treeOf(text, makers, words, none) {
  let at = 0;
  const next = () => {
    const code = text.charCodeAt(at);
    at += 1;
    return code - FIRST - (code > BACKSLASH ? 1 : 0);
  };
  const value = () => {
    const number = next();
    if (number === 0) {
      return null;
    }
    if (number === 1) {
      return Array.from({ length: next() }, () => value() ?? none);
    }
    const maker = makers[number - 2];
    if (!maker) {
      return words[number - 2 - makers.length];
    }
    return maker.make(Array.from({ length: maker.length }, value));
  };
  return value();
}

/** Have these modules imported so. */
self.readTrees = (brython, { kinds, words, modules }) => {
  const makers = kinds.map(kind => makerOf(kind, brython.ast));
  const known = words.map(word => wordOf(word, brython));
  const fromText = brython.py2js;
  brython.py2js = (source, module, ...rest) => {
    const packed = modules[source.src];
    if (!packed) {
      return fromText(source, module, ...rest);
    }
    const { filename, imported } = source;
    const tree = treeOf(packed[1], makers, known, brython.builtins.None);
    const symtable = brython._PySymtable_Build(tree, filename, { features: 0 });
    const { js, imports } = brython.js_from_root({ ast: tree, symtable, filename, src: '', imported });
    const short = js.replaceAll(LINES, '');
    return { _ast: tree, imports, to_js: () => short };
  };
  brython.use_VFS = true;
  const listed = Object.entries(modules).map(([name, [isPackage]]) => [name, ['.py', name, [], Boolean(isPackage)]]);
  brython.update_VFS(Object.fromEntries(listed));
};
