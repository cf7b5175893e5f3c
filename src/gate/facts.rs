//! Reads the files of a change and turns them into facts, in parallel.

use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use crate::facts::{FileFacts, Health};
use crate::git::{Content, File, ObjectId, Repository};
use crate::languages::{Source, analyze};

/// A file with its text and facts.
pub struct Analyzed {
    pub path: String,
    pub text: Arc<[u8]>,
    pub facts: FileFacts,
}

/// Up to here one thread is done before a second one has started.
const SERIAL_BYTES: usize = 64 * 1024;

/// The facts of each file, in the order given. Files that no language reads stay unread.
pub fn analyze_all(repository: &Repository, files: &[&File]) -> Result<Vec<Analyzed>> {
    let texts = read_all(repository, files)?;
    Ok(analyze_texts(files, texts))
}

/// The same for files whose texts are at hand.
pub fn analyze_texts(files: &[&File], texts: Vec<Arc<[u8]>>) -> Vec<Analyzed> {
    let analyzed = |(file, text): (&&File, Arc<[u8]>)| {
        let path = file.path.text().into_owned();
        let facts = match &file.content {
            // A link or a submodule where a file was: nothing in it can be read.
            Content::Opaque => FileFacts::opaque(Health::Unsupported),
            _ => analyze(Source { path: &path, text: &text }),
        };
        Analyzed { path, text, facts }
    };
    if texts.iter().map(|text| text.len()).sum::<usize>() <= SERIAL_BYTES {
        return files.iter().zip(texts).map(analyzed).collect();
    }
    files.par_iter().zip(texts).map(analyzed).collect()
}

fn read_all(repository: &Repository, files: &[&File]) -> Result<Vec<Arc<[u8]>>> {
    let blob = |file: &&File| match &file.content {
        Content::Blob(id) if file.is_source() => Some(id.clone()),
        _ => None,
    };
    let wanted: Vec<ObjectId> = files.iter().filter_map(blob).collect();
    let mut blobs = repository.blobs(&wanted.iter().collect::<Vec<_>>())?.into_iter();
    let text = |file: &&File| -> Arc<[u8]> {
        match &file.content {
            Content::Bytes(bytes) => bytes.clone(),
            _ => blob(file).and_then(|_| blobs.next()).unwrap_or_default().into(),
        }
    };
    Ok(files.iter().map(text).collect())
}
