//! What the walk says of small functions, one line for each thing.

use super::super::{Source, analyze};
use crate::facts::Function;

fn outline(path: &str, text: &str) -> String {
    let facts = analyze(Source { path, text: text.as_bytes() });
    named_or_telling(&facts.functions).map(lines).collect()
}

/// The functions, and what stands outside of them where it does something.
fn named_or_telling(functions: &[Function]) -> impl Iterator<Item = &Function> {
    functions.iter().filter(|function| !function.name.is_empty() || function.says_something())
}

fn lines(function: &Function) -> String {
    let mut lines =
        format!("{}{}\n", function.name, function.stub.map_or(String::new(), |stub| format!(" {stub:?}")));
    for exit in &function.exits {
        let (kind, context) = (exit.kind, exit.context);
        lines += &format!("  {kind:?}/{context:?} [{}] {}\n", exit.condition, exit.text);
    }
    for handler in &function.handlers {
        let (kind, breadth, action) = (handler.kind, handler.breadth, handler.action);
        lines += &format!("  {kind:?} {breadth:?} {action:?} {}\n", handler.caught.join("|"));
    }
    for error in &function.errors {
        lines += &format!("  {:?} {}\n", error.how, error.callee);
    }
    lines
}

#[test]
fn python_is_read() {
    let text = r#"
class Cart:
    def total(self, tax):
        """Sums up."""
        if tax < 0:
            raise ValueError("negative")
        elif tax > 1:
            return None
        assert isinstance(tax, float)
        try:
            return self.sum() * tax
        except (KeyError, TypeError) as error:
            logger.warning("bad %s", error)
        except Exception:
            raise
        with contextlib.suppress(OSError):
            os.remove(path)
        raise TypeError(tax)

    def empty(self):
        """Nothing."""
        pass
"#;
    assert_eq!(
        outline("cart.py", text),
        "\
Cart.total
  Fails/Branch [tax < 0] raise ValueError(\"negative\")
  Default/Branch [tax > 1] return None
  Fails/Check [assert isinstance(tax, float)] assert isinstance(tax, float)
  Fails/Handler [] raise
  Fails/Open [] raise TypeError(tax)
  Clause Narrow LogsOnly KeyError|TypeError
  Clause Broad Fails Exception
  Clause Narrow Swallows OSError
Cart.empty Empty
"
    );
}

#[test]
fn javascript_is_read() {
    let text = r#"
module.exports = { transform: [function (data) {
  try { data = JSON.parse(data); } catch (e) {}
  return data;
}] };
target.check = function () {
  if (!RE.test(x)) { echo("no"); failed = true; }
  fs.readFile(p, (err, data) => {
    if (err) return callback(err);
    use(data);
  });
  load().catch(() => {});
  load().catch(e => console.error(e));
};
const later = () => { throw new Error('not implemented'); };
"#;
    assert_eq!(
        outline("a.js", text),
        "\
transform
  Clause Broad Swallows 
target.check
  Notes/Branch [(!RE.test(x))] failed = true
  Fails/Handler [] callback(err)
  Check Broad Fails 
  Callback Broad Swallows 
  Callback Broad LogsOnly 
later Unfinished
  Fails/Open [] throw new Error('not implemented');
"
    );
}

#[test]
fn go_is_read() {
    let text = r#"package a
func (s *Store) Load(id string) (*Item, error) {
	if id == "" {
		return nil, errors.New("empty")
	}
	item, err := s.db.Get(id)
	if err != nil {
		return nil, fmt.Errorf("get: %w", err)
	}
	if err := s.touch(id); err != nil {
		log.Printf("touch: %v", err)
	}
	_ = s.close()
	n, _ := strconv.Atoi(id)
	defer func() {
		if r := recover(); r != nil {
		}
	}()
	return item, nil
}
"#;
    assert_eq!(
        outline("a.go", text),
        "\
Store.Load
  Fails/Branch [id == \"\"] return nil, errors.New(\"empty\")
  Fails/Handler [] return nil, fmt.Errorf(\"get: %w\", err)
  Check Broad Fails 
  Check Broad LogsOnly 
  Clause Broad Swallows 
  Checked Get
  Checked touch
  Discarded close
  Discarded Atoi
  Checked recover
"
    );
}

#[test]
fn rust_is_read() {
    let text = r#"
impl Store {
    fn load(&self, id: &str) -> Result<Item> {
        if id.is_empty() {
            return Err(anyhow!("empty"));
        }
        ensure!(id.len() < 10, "too long");
        let item = self.db.get(id).await.context("get")?;
        let _ = self.touch(id);
        if let Err(e) = self.flush() {
            warn!("{e}");
        }
        match self.find(id) {
            Ok(v) => v,
            Err(_) => return None,
        }
        self.close().ok();
        Ok(item)
    }
    fn later() { todo!() }
}
"#;
    assert_eq!(
        outline("a.rs", text),
        "\
Store.load
  Fails/Branch [id.is_empty()] Err(anyhow!(\"empty\"))
  Fails/Check [ensure!(id.len() < 10, \"too long\")] ensure!(id.len() < 10, \"too long\")
  Default/Handler [] return None
  Check Broad LogsOnly 
  Check Broad Defaults 
  Propagated get
  Discarded touch
  Checked flush
  Checked find
  Discarded close
Store.later Unfinished
  Fails/Open [] todo!()
"
    );
}

#[test]
fn java_is_read() {
    let text = r#"
class Store {
  Item load(String id) {
    Objects.requireNonNull(id, "id");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("empty");
    }
    try {
      return db.get(id);
    } catch (IOException | TimeoutException e) {
      LOG.warn("failed", e);
      return null;
    } catch (final Exception ignored) {
      // nothing
    }
    return null;
  }
}
"#;
    assert_eq!(
        outline("a.java", text),
        "\
Store.load
  Fails/Check [(id, \"id\")] Objects.requireNonNull(id, \"id\")
  Fails/Branch [(id.isEmpty())] throw new IllegalArgumentException(\"empty\");
  Default/Handler [] return null;
  Default/Open [] return null;
  Clause Narrow Defaults IOException|TimeoutException
  Clause Broad Swallows Exception
"
    );
}

/// The annotations of each function, its own before those around it, and its routes.
fn protections(path: &str, text: &str) -> Vec<String> {
    let facts = analyze(Source { path, text: text.as_bytes() });
    let written = |ranges: &[std::ops::Range<usize>]| {
        ranges.iter().map(|range| &text[range.clone()]).collect::<Vec<_>>().join(" ")
    };
    let of_function = |function: &Function| {
        let routes =
            function.routes.iter().map(|route| format!("{} -> {}", route.target, route.steps.join(" ")));
        let (own, around) = (written(&function.annotations), written(&function.inherited));
        let routes: Vec<String> = routes.collect();
        format!("{}: {own} | {around} | {}", function.name, routes.join(", "))
    };
    named_or_telling(&facts.functions).map(of_function).collect()
}

#[test]
fn annotations_belong_to_what_they_stand_on() {
    let python = "@one\nclass A:\n    @two(x)\n    # why\n    @three\n    def f(self):\n        pass\n\n    def g(self): pass\n";
    assert_eq!(protections("a.py", python), ["A.f: @two(x) @three | @one | ", "A.g:  | @one | "]);
    let java = "@One class A {\n  @Two int x;\n  void f(@Three int y) { int z; }\n  @Four void g() {}\n}\n";
    assert_eq!(protections("A.java", java), ["A.f: @Three | @One | ", "A.g: @Four | @One | "]);
    let typescript = "@One()\nexport class A {\n  @Two() x: string;\n  @Three()\n  f() { return 1 }\n}\n";
    assert_eq!(protections("a.ts", typescript), ["A.f: @Three() | @One() | "]);
    let rust = "#[one]\npub fn f() { g() }\n\npub fn h() { g() }\n";
    assert_eq!(protections("a.rs", rust), ["f: #[one] |  | ", "h:  |  | "]);
}

#[test]
fn routes_name_their_steps_in_order() {
    let javascript =
        "app.use(cors())\nrouter.get('/a', auth.check, [one, two(3)], (req) => 1)\nmap.get('key', x)\n";
    assert_eq!(
        protections("a.js", javascript),
        [":  |  | app.use  -> cors, router.get '/a' -> check one two"]
    );
    let go = "package a\n\nfunc Routes(r *gin.Engine) {\n\tr.GET(\"/a\", Auth(), list)\n}\n";
    assert_eq!(protections("a.go", go), ["Routes:  |  | r.GET \"/a\" -> Auth list"]);
}

#[test]
fn refusals_are_known_in_other_words_too() {
    let text = r#"
fn run(path: &str) -> Result<()> {
    let stat = path.stat().map_err(|error| {
        let message = format!("a long text that makes the chain longer than anybody would want to read as text, {}", error);
        Failure::new(message, "and some more of it, so that the start of the chain is far away from its end", 1, 2, 3)
    })?;
    check_name(path)?;
    Ok(())
}
"#;
    assert_eq!(
        outline("run.rs", text),
        "\
run
  Default/Open [] Ok(())
  Fails/Check [(path)] check_name(path)
  Propagated stat
  Propagated check_name
"
    );
    let text = r#"
package shop

func (o *Order) Check(host string) (err error) {
	if _, err := netip.ParseAddr(host); err != nil {
		return &invalidHostError{host}
	}
	if err := validateName(o.Name); err != nil {
		return err
	}
	if o.Total < 0 {
		result = multierror.Append(result, fmt.Errorf("negative"))
	}
	if o.Done {
		return
	}
	return result
}
"#;
    assert_eq!(
        outline("order.go", text),
        "\
Order.Check
  Fails/Handler [] return &invalidHostError{host}
  Fails/Check [(host)] netip.ParseAddr(host)
  Fails/Handler [] return err
  Fails/Check [(o.Name)] validateName(o.Name)
  Notes/Branch [o.Total < 0] multierror.Append(result, fmt.Errorf(\"negative\"))
  Check Broad Fails \n  Check Broad Fails \n  Checked ParseAddr
  Checked validateName
"
    );
    let text = r#"
function visit(node, context) {
  if (node.bad) {
    context.onError(createCompilerError(1, node.loc));
  }
  if (!node.user) {
    return new ForbiddenError();
  }
  if (node.old) {
    throwUnsupported(node);
  }
}
"#;
    assert_eq!(
        outline("visit.js", text),
        "\
visit
  Notes/Branch [(node.bad)] context.onError(createCompilerError(1, node.loc))
  Fails/Branch [(!node.user)] return new ForbiddenError();
  Fails/Branch [(node.old)] throwUnsupported(node)
"
    );
}
